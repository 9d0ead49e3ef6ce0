import { createHash } from 'node:crypto';
import { SurfaceTooLarge } from '../api/surface.js';
import { described } from './probe-api.js';

/** A document whose names are as good as random, so that nothing makes them smaller. */
const documentOf = (name: (at: number) => string, count: number): object => ({
  openapi: '3.0.0',
  paths: { '/x': { get: { responses: { 200: { content: { 'application/json': { schema: { type: 'object', properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), { type: 'string' }])) } } } } } } } },
});
const random = (at: number): string => createHash('sha512').update(`${at}`).digest('base64');

describe('what an API says', () => {
  it('is refused when the Shell could not keep it, compressed', async () => {
    const given = documentOf((at) => random(at) + random(-at - 1), 4900);
    await expect(described(given)).rejects.toThrow(SurfaceTooLarge);
    await expect(described(given)).rejects.toThrow('bytes compressed');
  });

  it('is taken when it is as long but says little new', async () => {
    const { text } = await described(documentOf((at) => 'x'.repeat(176) + String(at), 4900));
    expect(text.length).toBeGreaterThan(900_000);
  });

  it('is refused when it is too long', async () => {
    await expect(described(documentOf((at) => 'x'.repeat(300) + String(at), 4900))).rejects.toThrow('characters of operations');
  });
});
