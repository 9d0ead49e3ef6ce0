import { acceptedBecause } from './acceptance.js';
import { breaksBetween } from './breaks.js';
import { NotCompared } from './schema-breaks.js';
import { surfaceOf } from './surface.js';

type Schema = Record<string, unknown>;

interface Api {
  readonly parameters?: readonly object[];
  readonly body?: Schema;
  readonly bodyRequired?: boolean;
  readonly answer?: Schema;
  readonly schemas?: Record<string, Schema>;
  readonly over?: object;
}

const STRING = { type: 'string' };
const object = (properties: Record<string, Schema>, required: readonly string[] = [], rest: Schema = {}): Schema => ({ type: 'object', properties, required, ...rest });
const query = (name: string, schema: Schema = STRING, required = false) => ({ in: 'query', name, required, schema });

/** A document with one operation, `POST /files`. */
function api({ parameters = [], body, bodyRequired = true, answer, schemas = {}, over = {} }: Api): object {
  const json = (schema: Schema) => ({ 'application/json': { schema } });
  return {
    openapi: '3.0.0',
    paths: { '/files': { post: { parameters, ...(body && { requestBody: { required: bodyRequired, content: json(body) } }), responses: { 200: { content: answer ? json(answer) : {} } }, ...over } } },
    components: { schemas },
  };
}
const between = (before: Api, after: Api) => breaksBetween(surfaceOf(api(before)), surfaceOf(api(after))).map(({ where, what }) => `${where}: ${what}`);

describe('breaks users', () => {
  it.each<[string, Api, Api, string]>([
    ['a response status that goes', {}, { over: { responses: { 201: {} } } }, 'POST /files response 200: is no longer given'],
    ['a media type that goes', { answer: STRING }, { over: { responses: { 200: { content: { 'text/plain': { schema: STRING } } } } } }, 'POST /files response 200: application/json is no longer given'],
    ['a property that goes', { answer: object({ name: STRING }) }, { answer: object({}) }, 'POST /files response 200.name: is no longer there'],
    ['a property deep inside', { answer: object({ data: { type: 'array', items: object({ name: STRING }) } }) }, { answer: object({ data: { type: 'array', items: object({}) } }) }, 'POST /files response 200.data[].name: is no longer there'],
    ['a property that may be missing', { answer: object({ name: STRING }, ['name']) }, { answer: object({ name: STRING }) }, 'POST /files response 200.name: may be missing now'],
    ['another type', { answer: object({ size: { type: 'integer' } }) }, { answer: object({ size: STRING }) }, 'POST /files response 200.size: type was integer and is string'],
    ['a number where whole ones were', { answer: { type: 'integer' } }, { answer: { type: 'number' } }, 'POST /files response 200: type was integer and is number'],
    ['null where there was none', { answer: STRING }, { answer: { ...STRING, nullable: true } }, 'POST /files response 200: type was string and is null or string'],
    ['a time that is free text', { answer: { ...STRING, format: 'date-time' } }, { answer: STRING }, 'POST /files response 200: format was date-time and is any'],
    ['anything where a type was', { answer: STRING }, { answer: {} }, 'POST /files response 200: type was string and is anything'],
    ['a named schema', { answer: { $ref: '#/components/schemas/F' }, schemas: { F: object({ a: STRING }) } }, { answer: { $ref: '#/components/schemas/F' }, schemas: { F: object({ b: STRING }) } }, 'POST /files response 200.a: is no longer there'],
    ['a part of a composed one', { answer: { allOf: [object({ a: STRING }), object({ b: STRING })] } }, { answer: { allOf: [object({ a: STRING })] } }, 'POST /files response 200.b: is no longer there'],
    ['values of a map', { answer: { type: 'object', additionalProperties: { type: 'integer' } } }, { answer: { type: 'object', additionalProperties: STRING } }, 'POST /files response 200.*: type was integer and is string'],
    ['a new required parameter', {}, { parameters: [query('tenant', STRING, true)] }, 'POST /files query tenant: has to be sent now'],
    ['a parameter that becomes required', { parameters: [query('q')] }, { parameters: [query('q', STRING, true)] }, 'POST /files query q: has to be sent now'],
    ['a query parameter that goes', { parameters: [query('q')] }, {}, 'POST /files query q: is no longer taken'],
    ['a parameter of a stricter type', { parameters: [query('q')] }, { parameters: [query('q', { type: 'integer' })] }, 'POST /files query q: type was string and is integer'],
    ['fewer values', { parameters: [query('sort', { ...STRING, enum: ['a', 'b'] })] }, { parameters: [query('sort', { ...STRING, enum: ['a'] })] }, 'POST /files query sort: no longer takes "b"'],
    ['values where all were taken', { parameters: [query('sort')] }, { parameters: [query('sort', { ...STRING, enum: ['a'] })] }, 'POST /files query sort: takes only "a" now'],
    ['a lower limit', { parameters: [query('limit', { type: 'integer', maximum: 100 })] }, { parameters: [query('limit', { type: 'integer', maximum: 50 })] }, 'POST /files query limit: maximum was 100 and is 50'],
    ['a pattern', { body: object({ slug: STRING }) }, { body: object({ slug: { ...STRING, pattern: '^a' } }) }, 'POST /files body.slug: has to match ^a now'],
    ['a body that has to be sent', {}, { body: object({}) }, 'POST /files body: has to be sent now'],
    ['a body that becomes required', { body: object({}), bodyRequired: false }, { body: object({}) }, 'POST /files body: has to be sent now'],
    ['a body that is no longer taken', { body: object({}) }, {}, 'POST /files body: is no longer taken'],
    ['a new required property', { body: object({ a: STRING }) }, { body: object({ a: STRING, b: STRING }, ['b']) }, 'POST /files body.b: has to be sent now'],
    ['a property that becomes required', { body: object({ a: STRING }) }, { body: object({ a: STRING }, ['a']) }, 'POST /files body.a: has to be sent now'],
    ['a property that is refused', { body: object({ a: STRING }) }, { body: object({}, [], { additionalProperties: false }) }, 'POST /files body.a: is no longer taken'],
    ['null that is no longer taken', { body: object({ a: { ...STRING, nullable: true } }) }, { body: object({ a: STRING }) }, 'POST /files body.a: type was null or string and is string'],
    ['a variant that goes', { body: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] }, schemas: { A: object({}), B: object({}) } }, { body: { oneOf: [{ $ref: '#/components/schemas/A' }] }, schemas: { A: object({}) } }, 'POST /files body: no longer takes B'],
  ])('%s', (_what, before, after, broken) => {
    expect(between(before, after)).toEqual([broken]);
  });

  it('an operation that goes, or moves', () => {
    const moved = (path: string) => surfaceOf({ openapi: '3.1.0', paths: { [path]: { get: { responses: {} }, delete: { responses: {} } } } });
    expect(breaksBetween(moved('/a/{id}'), moved('/b/{id}'))).toEqual([{ where: 'GET /a/{}', what: 'is no longer there' }, { where: 'DELETE /a/{}', what: 'is no longer there' }].sort((a, b) => (a.where < b.where ? -1 : 1)));
    expect(breaksBetween(moved('/a/{id}'), moved('/a/{fileId}'))).toEqual([]);
  });

  it('is counted up to a bound', () => {
    const wide = (count: number) => object(Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, STRING])));
    expect(between({ answer: wide(500) }, { answer: wide(0) })).toHaveLength(100);
  });
});

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const numbered = (count: number, made: (at: number) => Schema): Record<string, Schema> => Object.fromEntries(Array.from({ length: count }, (_, at) => [`S${at}`, made(at)]));

describe('is compared in a bounded time', () => {
  const both = (given: Api) => () => between(given, given);

  it.each<[string, Api]>([
    ['a part that names its whole, composed alone', { answer: ref('Node'), schemas: { Node: object({ parent: { allOf: [ref('Node')], nullable: true } }) } }],
    ['a part that names its whole, composed with more', { answer: ref('Node'), schemas: { Node: object({ parent: { allOf: [ref('Node'), object({ more: STRING })] } }) } }],
    ['schemas that fan out by composition', { answer: ref('S0'), schemas: numbered(40, (at) => object({ a: { allOf: [ref(`S${at + 1}`), STRING, ref('X')] }, b: { allOf: [ref(`S${at + 1}`), ref('X')] }, c: { allOf: [ref(`S${at + 1}`)] } })) }],
    ['a whole that is composed twice of each part', { answer: ref('S0'), schemas: numbered(40, (at) => ({ allOf: [ref(`S${at + 1}`), ref(`S${at + 1}`), object({ [`p${at}`]: STRING })] })) }],
    ['a long chain of names', { answer: ref('S0'), schemas: numbered(2000, (at) => object({ next: ref(`S${at + 1}`) })) }],
    ['many values', { body: { ...STRING, enum: Array.from({ length: 20_000 }, (_, at) => `${at}`) } }],
  ])('%s', (_what, given) => {
    expect(both(given)()).toEqual([]);
  });

  it.each<[string, Api]>([
    ['composed of each other without end', { answer: ref('S0'), schemas: numbered(200, (at) => ({ allOf: [ref(`S${at + 1}`), object({ [`p${at}`]: STRING })] })) }],
    ['wide ones that are composed again and again', { answer: object(numbered(800, () => ({ allOf: [ref('Wide'), ref('Wide')] }))), schemas: { Wide: object(numbered(800, () => STRING)) } }],
  ])('or not at all: %s', (_what, given) => {
    expect(both(given)).toThrow(NotCompared);
  });

  it('and still finds what is behind a name that is composed alone', () => {
    const node = (more: Record<string, Schema>): Api => ({ answer: ref('Node'), schemas: { Node: object({ parent: { allOf: [ref('Node')], nullable: true }, of: { allOf: [ref('Leaf')] } }), Leaf: object(more) } });
    expect(between(node({ a: STRING }), node({}))).toEqual(['POST /files response 200.of.a: is no longer there']);
  });
});

describe('breaks nobody', () => {
  it.each<[string, Api, Api]>([
    ['the same', { answer: object({ a: STRING }) }, { answer: object({ a: STRING }) }],
    ['a new property of an answer', { answer: object({ a: STRING }) }, { answer: object({ a: STRING, b: STRING }, ['b']) }],
    ['a new value of an answer', { answer: { ...STRING, enum: ['a'] } }, { answer: { ...STRING, enum: ['a', 'b'] } }],
    ['whole numbers where any were', { answer: { type: 'number' } }, { answer: { type: 'integer' } }],
    ['an answer that is never null any more', { answer: { ...STRING, nullable: true } }, { answer: STRING }],
    ['a new optional parameter', {}, { parameters: [query('q')] }],
    ['a parameter that is no longer required', { parameters: [query('q', STRING, true)] }, { parameters: [query('q')] }],
    ['more values that are taken', { parameters: [query('q', { ...STRING, enum: ['a'] })] }, { parameters: [query('q', { ...STRING, enum: ['a', 'b'] })] }],
    ['any number where whole ones were taken', { body: { type: 'integer' } }, { body: { type: 'number' } }],
    ['a limit that is raised', { body: { ...STRING, maxLength: 10 } }, { body: { ...STRING, maxLength: 20 } }],
    ['a limit that says nothing', { body: STRING }, { body: { ...STRING, minLength: 0 } }],
    ['a new optional property', { body: object({ a: STRING }) }, { body: object({ a: STRING, b: STRING }) }],
    ['a property that is ignored now', { body: object({ a: STRING }) }, { body: object({}) }],
    ['a header that is no longer read', { parameters: [{ in: 'header', name: 'x', schema: STRING }] }, {}],
    ['another error', { over: { responses: { 200: { content: {} }, 404: {} } } }, {}],
    ['a new status', {}, { over: { responses: { 200: { content: {} }, 202: {} } } }],
    ['another name of the same schema', { answer: { $ref: '#/components/schemas/A' }, schemas: { A: object({ a: STRING }) } }, { answer: { $ref: '#/components/schemas/B' }, schemas: { B: object({ a: STRING }) } }],
    ['a schema that is made of itself', { answer: { $ref: '#/components/schemas/T' }, schemas: { T: { allOf: [{ $ref: '#/components/schemas/T' }, object({ a: STRING })] } } }, { answer: { $ref: '#/components/schemas/T' }, schemas: { T: { allOf: [{ $ref: '#/components/schemas/T' }, object({ a: STRING, b: STRING })] } } }],
    ['a schema that names itself', { answer: { $ref: '#/components/schemas/T' }, schemas: { T: object({ next: { $ref: '#/components/schemas/T' } }) } }, { answer: { $ref: '#/components/schemas/T' }, schemas: { T: object({ next: { $ref: '#/components/schemas/T' }, name: STRING }) } }],
  ])('%s', (_what, before, after) => {
    expect(between(before, after)).toEqual([]);
  });
});

describe('breaks go through', () => {
  it.each([
    ['with a new major version', undefined, '1.9.0', '2.0.0', true],
    ['not with a minor one', undefined, '1.9.0', '1.10.0', false],
    ['not with the same', undefined, '1.9.0', '1.9.0', false],
    ['with a new second number before 1.0', undefined, '0.3.1', '0.4.0', true],
    ['not with a new third one', undefined, '0.3.1', '0.3.2', false],
    ['when the app is rolled back', undefined, '1.10.0', '1.9.0', true],
    ['when the version is named', '1.10.0', '1.9.0', '1.10.0', true],
    ['when what is served is named', 'sha256:x', undefined, undefined, true],
    ['not when another version is named', '1.9.0', '1.9.0', '1.10.0', false],
    ['not without versions', undefined, undefined, undefined, false],
    ['not when a version is no number', undefined, 'latest', 'newest', false],
    ['not by an empty word', '', '1.0.0', '1.0.1', false],
  ])('%s', (_what, annotation, before, after, through) => {
    expect(acceptedBecause({ annotation, before, after, digest: 'sha256:x' }) !== undefined).toBe(through);
  });
});
