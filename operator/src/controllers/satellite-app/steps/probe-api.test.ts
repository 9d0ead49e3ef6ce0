import { createHash } from 'node:crypto';
import { SurfaceTooLarge } from '../api/surface.js';
import { described, hasMoreValues } from './probe-api.js';

/** A document whose names are as good as random, so that nothing makes them smaller. */
const documentOf = (name: (at: number) => string, count: number): object => ({
  openapi: '3.0.0',
  paths: { '/x': { get: { responses: { 200: { content: { 'application/json': { schema: { type: 'object', properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), { type: 'string' }])) } } } } } } } },
});
const random = (at: number): string => createHash('sha512').update(`${at}`).digest('base64');

const say = (document: object) => described(Buffer.from(JSON.stringify(document)), 'https://notes.test/openapi.json');

describe('what an API says', () => {
  it.each<[string, string]>([
    ['objects in a list', `[${'{},'.repeat(999)}{}]`],
    ['lists in each other', '['.repeat(1001) + ']'.repeat(1001)],
    ['objects in each other', `${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`],
    ['names', `{${Array.from({ length: 1001 }, (_, at) => `"${at}":1`).join()}}`],
  ])('is counted before it is read: too many %s', (_what, text) => {
    expect(hasMoreValues(Buffer.from(text), 1000)).toBe(true);
    expect(hasMoreValues(Buffer.from(text), 3000)).toBe(false);
  });

  it('may have texts of any length', () => {
    expect(hasMoreValues(Buffer.from(JSON.stringify({ description: 'x'.repeat(5_000_000) })), 2)).toBe(false);
  });

  it('is refused when the Shell could not keep it, compressed', async () => {
    const given = documentOf((at) => random(at) + random(-at - 1), 4900);
    await expect(say(given)).rejects.toThrow(SurfaceTooLarge);
    await expect(say(given)).rejects.toThrow('bytes compressed');
  });

  it('is taken when it is as long but says little new', async () => {
    const { text } = await say(documentOf((at) => 'x'.repeat(176) + String(at), 4900));
    expect(text.length).toBeGreaterThan(900_000);
  });

  it('is refused when it is too long', async () => {
    await expect(say(documentOf((at) => 'x'.repeat(300) + String(at), 4900))).rejects.toThrow('characters of operations');
  });
});
