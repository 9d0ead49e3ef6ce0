import { NoSurface, surfaceDigest, surfaceOf, surfaceText } from './surface.js';

const document = (over: object = {}): object => ({
  openapi: '3.0.3',
  info: { title: 'Files', version: '1.0.0' },
  paths: { '/files/{id}': { get: { parameters: [{ in: 'path', name: 'id', required: true, schema: { type: 'string' } }], responses: { 200: { description: 'A file', content: { 'application/json; charset=utf-8': { schema: { $ref: '#/components/schemas/File' } } } }, 404: { description: 'None' } } } } },
  components: { schemas: { File: { type: 'object', description: 'x', required: ['name', 'id'], properties: { id: { type: 'string' }, name: { type: 'string', nullable: true }, parent: { $ref: '#/components/schemas/File' } } }, Unused: { type: 'string' } } },
  ...over,
});
const digest = (given: object): string => surfaceDigest(surfaceText(surfaceOf(given)));

describe('what users of an API depend on', () => {
  it('is its operations, their success and the schemas they name', () => {
    expect(JSON.parse(surfaceText(surfaceOf(document())))).toEqual({
      operations: { 'GET /files/{}': { parameters: {}, responses: { 200: { 'application/json': { ref: 'File' } } } } },
      schemas: { File: { types: ['object'], required: ['id', 'name'], properties: { id: { types: ['string'] }, name: { types: ['null', 'string'] }, parent: { ref: 'File' } } } },
    });
  });

  it('does not change with texts, order and names of path parts', () => {
    const said = JSON.parse(JSON.stringify(document()).replace('{id}', '{fileId}').replace('A file', 'The file').replace('"description":"x"', '"description":"y","example":{}')) as { components: { schemas: Record<string, unknown> } };
    said.components.schemas = { Other: { type: 'number' }, ...said.components.schemas };
    expect(digest(said)).toBe(digest(document()));
  });

  it.each([
    ['an older kind', { swagger: '2.0', openapi: undefined }, 'OpenAPI 3'],
    ['a reference to elsewhere', { paths: { '/x': { get: { responses: { 200: { content: { 'application/json': { schema: { $ref: 'https://example.org/x.json' } } } } } } } } }, 'in another document'],
    ['a bottomless schema', { paths: { '/x': { get: { responses: { 200: { content: { 'application/json': { schema: nested(100) } } } } } } } }, 'nested deeper'],
  ])('is not known of %s', (_what, over, message) => {
    expect(() => surfaceOf(document(over))).toThrow(NoSurface);
    expect(() => surfaceOf(document(over))).toThrow(message);
  });

  it('takes any name for a name', () => {
    const hostile = JSON.parse('{"openapi":"3.0.0","paths":{"/x":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}}}}}}}}}') as object;
    expect(surfaceText(surfaceOf(hostile))).toContain('"__proto__":{"types":["string"]}');
    expect(Object.prototype).not.toHaveProperty('types');
  });
});

function nested(depth: number): object {
  return depth === 0 ? { type: 'string' } : { type: 'array', items: nested(depth - 1) };
}
