import { NoSurface, SurfaceTooLarge, surfaceDigest, surfaceOf, surfaceText } from './surface.js';

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

  it.each([
    ['an answer that many operations share', { paths: many(2000, () => ({ get: { responses: { 200: { $ref: '#/components/responses/Wide' } } } })), components: { responses: { Wide: answerOf(wide(2000)) } } }],
    ['a path that many share', { paths: many(5000, () => ({ $ref: '#/components/pathItems/Wide' })), components: { pathItems: { Wide: { get: { responses: many(5000, () => ({}), 'x') } } } } }],
    ['parameters that many share', { paths: many(500, () => ({ get: { parameters: Array.from({ length: 500 }, () => ({ $ref: '#/components/parameters/P' })), responses: {} } })), components: { parameters: { P: { in: 'query', name: 'q', schema: wide(500) } } } }],
    ['texts of great length', { paths: { '/x': { get: { responses: { 200: answerOf({ type: 'string', enum: Array.from({ length: 50 }, (_, at) => `${at}${'x'.repeat(100_000)}`) }) } } } } }],
  ])('is too much of %s, and that is known before it is read', (_what, over) => {
    expect(() => surfaceOf(document(over))).toThrow(SurfaceTooLarge);
  });

  it.each([
    ['a name that is no pointer', { paths: { '/x': { get: { responses: { 200: answerOf({ $ref: '#/%zz' }) } } } } }, 'no pointer'],
    ['values without an end', { paths: { '/x': { get: { responses: { 200: answerOf({ const: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown }) } } } } }, 'nested too deep'],
  ])('is not known of %s', (_what, over, message) => {
    expect(() => surfaceOf(document(over))).toThrow(message);
    expect(() => surfaceOf(document(over))).toThrow(NoSurface);
  });

  it('takes spellings of one pointer for one schema', () => {
    const refs = ['File', '%46ile', 'Fil%65'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const { schemas } = surfaceOf(document({ paths: { '/x': { get: { responses: { 200: answerOf({ oneOf: refs }) } } } } }));
    expect(Object.keys(schemas)).toEqual(['File']);
  });

  it('follows a long chain of names, and reads paths of any form', () => {
    const schemas = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`S${at}`, { properties: { n: { $ref: `#/components/schemas/S${at + 1}` } } }]));
    const read = surfaceOf(document({ paths: { '/x': { get: { responses: { 200: answerOf({ $ref: '#/components/schemas/S0' }) } } }, ['{'.repeat(200_000)]: { get: { responses: { 200: { content: { [' '.repeat(100_000)]: {} } } } } } }, components: { schemas } }));
    expect(Object.keys(read.schemas)).toHaveLength(10_001);
  });

  it('counts what many name for each of them, and reads it once', () => {
    let reads = 0;
    const properties = new Proxy({ id: { type: 'string' } }, { ownKeys: (target) => ((reads += 1), Reflect.ownKeys(target)) });
    const components = { responses: { Shared: answerOf({ type: 'object', properties }) } };
    const read = surfaceOf(document({ paths: many(100, () => ({ get: { responses: { 200: { $ref: '#/components/responses/Shared' } } } })), components }));
    expect([Object.keys(read.operations).length, reads]).toEqual([100, 1]);
    expect(new Set(Object.values(read.operations).map((operation) => JSON.stringify(operation))).size).toBe(1);
  });

  it('takes one part of the document for what each place says it is', () => {
    const odd = { in: 'query', name: 'q', schema: { type: 'string' }, ...answerOf({ type: 'number' }), get: { responses: {} } };
    const paths = { '/x': { get: { parameters: [{ $ref: '#/components/odd' }], requestBody: { $ref: '#/components/odd' }, responses: { 200: { $ref: '#/components/odd' } } } }, '/y': { $ref: '#/components/odd' } };
    expect(JSON.parse(surfaceText(surfaceOf(document({ paths, components: { odd } })))).operations).toEqual({
      'GET /x': { parameters: { 'query q': { required: false, schema: { types: ['string'] } } }, body: { required: false, content: { 'application/json': { types: ['number'] } } }, responses: { 200: { 'application/json': { types: ['number'] } } } },
      'GET /y': { parameters: {}, responses: {} },
    });
  });

  it('knows one schema by all spellings of its pointer', () => {
    const refs = ['#/components/x~1y/a~0b', '#/components/x~1y/a%7E0b', '#/components/x%7E1y/a~0b'];
    const paths = { '/x': { get: { responses: { 200: answerOf({ allOf: refs.map(($ref) => ({ $ref })) }) } } } };
    const read = surfaceOf(document({ paths, components: { 'x/y': { 'a~b': { type: 'string' } } } }));
    expect(read.schemas).toEqual({ '#/components/x~1y/a~0b': { types: ['string'] } });
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

function answerOf(schema: unknown): object {
  return { content: { 'application/json': { schema } } };
}

function many(count: number, made: () => object, prefix = '/'): object {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, made()]));
}

function wide(count: number): object {
  return { type: 'object', properties: many(count, () => ({ type: 'string' }), 'p') };
}
