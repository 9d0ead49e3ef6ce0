import { createHash } from 'node:crypto';

/** A schema as far as users of an API can depend on it. */
export interface SurfaceSchema {
  readonly ref?: string;
  /** Sorted; absent = anything. `null` is one of them. */
  readonly types?: readonly string[];
  readonly format?: string;
  /** JSON text of the values, sorted. */
  readonly values?: readonly string[];
  readonly properties?: Readonly<Record<string, SurfaceSchema>>;
  readonly required?: readonly string[];
  /** Properties that are not named are refused. */
  readonly closed?: boolean;
  readonly others?: SurfaceSchema;
  readonly items?: SurfaceSchema;
  readonly all?: readonly SurfaceSchema[];
  readonly any?: readonly SurfaceSchema[];
  /** Bounds such as maxLength. */
  readonly bounds?: Readonly<Record<string, number>>;
  readonly pattern?: string;
}

export interface SurfaceParameter {
  readonly required: boolean;
  readonly schema: SurfaceSchema;
}

export type SurfaceContent = Readonly<Record<string, SurfaceSchema>>;

export interface SurfaceOperation {
  /** By place and name: `query limit`. */
  readonly parameters: Readonly<Record<string, SurfaceParameter>>;
  readonly body?: { readonly required: boolean; readonly content: SurfaceContent };
  /** Those of success, by status. */
  readonly responses: Readonly<Record<string, SurfaceContent>>;
}

/** What users of an API depend on: no texts, no examples, no order. */
export interface Surface {
  /** By method and path: `GET /files/{}`. */
  readonly operations: Readonly<Record<string, SurfaceOperation>>;
  readonly schemas: Readonly<Record<string, SurfaceSchema>>;
}

type Json = Readonly<Record<string, unknown>>;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'];
/** Deeper than this is either a mistake or an attack. */
const MAX_DEPTH = 64;

/** The document describes nothing that can be compared; the message says why. */
export class NoSurface extends Error {}

/** What an OpenAPI 3 document says; throws NoSurface for what is none. */
export function surfaceOf(document: unknown): Surface {
  const root = objectOf(document);
  if (typeof root['openapi'] !== 'string' || !root['openapi'].startsWith('3.')) throw new NoSurface('only documents of OpenAPI 3 can be compared');
  return new Reading(root).surface();
}

/** Same text for same surfaces. */
export function surfaceText(surface: Surface): string {
  return JSON.stringify(surface);
}

export function surfaceDigest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

class Reading {
  private readonly schemas = new Map<string, SurfaceSchema | undefined>();

  constructor(private readonly root: Json) {}

  surface(): Surface {
    const operations: [string, SurfaceOperation][] = [];
    for (const [path, item] of Object.entries(objectOf(this.root['paths']))) {
      const shared = this.resolved(item);
      for (const method of METHODS) {
        if (shared[method] === undefined) continue;
        // The names of a path's parts are the server's own affair.
        operations.push([`${method.toUpperCase()} ${path.replace(/\{[^}]*\}/g, '{}')}`, this.operation(objectOf(shared[method]), listOf(shared['parameters']))]);
      }
    }
    return { operations: sorted(operations), schemas: sorted([...this.schemas].flatMap(([name, schema]) => (schema ? [[name, schema] as const] : []))) };
  }

  private operation(given: Json, shared: readonly unknown[]): SurfaceOperation {
    const parameters = [...shared, ...listOf(given['parameters'])].map((parameter) => this.resolved(parameter)).filter((parameter) => parameter['in'] !== 'path');
    const body = given['requestBody'] === undefined ? undefined : this.resolved(given['requestBody']);
    const responses = Object.entries(objectOf(given['responses'])).filter(([status]) => /^2(\d\d|XX)$/i.test(status));
    return {
      parameters: sorted(parameters.map((parameter) => [`${String(parameter['in'])} ${String(parameter['name'])}`, { required: parameter['required'] === true, schema: this.schema(parameter['schema'] ?? {}) }])),
      ...(body && { body: { required: body['required'] === true, content: this.content(body['content']) } }),
      responses: sorted(responses.map(([status, response]) => [status, this.content(this.resolved(response)['content'])])),
    };
  }

  private content(given: unknown): SurfaceContent {
    return sorted(Object.entries(objectOf(given)).map(([media, value]) => [media.replace(/\s*;.*$/, '').toLowerCase(), this.schema(objectOf(value)['schema'] ?? {})]));
  }

  private schema(given: unknown, depth = 0): SurfaceSchema {
    if (depth > MAX_DEPTH) throw new NoSurface(`schemas are nested deeper than ${MAX_DEPTH}`);
    if (given === true) return {};
    const schema = objectOf(given);
    const ref = schema['$ref'];
    if (typeof ref === 'string') return this.reference(ref);
    const inner = (value: unknown): SurfaceSchema => this.schema(value, depth + 1);
    const others = schema['additionalProperties'];
    const any = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])];
    return compact({
      types: typesOf(schema),
      format: typeof schema['format'] === 'string' ? schema['format'] : undefined,
      values: valuesOf(schema),
      properties: schema['properties'] === undefined ? undefined : sorted(Object.entries(objectOf(schema['properties'])).map(([name, property]) => [name, inner(property)])),
      required: schema['required'] === undefined ? undefined : listOf(schema['required']).map(String).sort(),
      closed: others === false || undefined,
      others: typeof others === 'object' && others !== null ? inner(others) : undefined,
      items: schema['items'] === undefined ? undefined : inner(schema['items']),
      all: schema['allOf'] === undefined ? undefined : listOf(schema['allOf']).map(inner),
      any: any.length === 0 ? undefined : any.map(inner),
      bounds: boundsOf(schema),
      pattern: typeof schema['pattern'] === 'string' ? schema['pattern'] : undefined,
    });
  }

  /** Named schemas are read once, and before they are read they are known: a schema may name itself. */
  private reference(ref: string): SurfaceSchema {
    const name = ref.replace(/^#\/components\/schemas\//, '');
    if (!this.schemas.has(name)) {
      this.schemas.set(name, undefined);
      this.schemas.set(name, this.schema(this.pointed(ref)));
    }
    return { ref: name };
  }

  private resolved(given: unknown): Json {
    const value = objectOf(given);
    return typeof value['$ref'] === 'string' ? objectOf(this.pointed(value['$ref'])) : value;
  }

  private pointed(ref: string): unknown {
    if (!ref.startsWith('#/')) throw new NoSurface(`${ref.slice(0, 200)} is in another document`);
    return ref.slice(2).split('/').reduce<unknown>((at, part) => objectOf(at)[decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~')], this.root);
  }
}

function typesOf({ type, nullable }: Json): readonly string[] | undefined {
  if (type === undefined) return undefined;
  return [...new Set([...(Array.isArray(type) ? type.map(String) : [String(type as string)]), ...(nullable === true ? ['null'] : [])])].sort();
}

function valuesOf(schema: Json): readonly string[] | undefined {
  if (schema['const'] !== undefined) return [JSON.stringify(schema['const'])];
  return Array.isArray(schema['enum']) ? schema['enum'].map((value) => JSON.stringify(value)).sort() : undefined;
}

function boundsOf(schema: Json): Readonly<Record<string, number>> | undefined {
  const bounds = BOUNDS.flatMap((name) => (typeof schema[name] === 'number' ? [[name, schema[name]] as const] : []));
  return bounds.length === 0 ? undefined : Object.fromEntries(bounds);
}

function compact(schema: { readonly [Field in keyof SurfaceSchema]: SurfaceSchema[Field] | undefined }): SurfaceSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined)) as SurfaceSchema;
}

/** Names come from outside: an object without a prototype takes each as a name and nothing else. */
function sorted<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const made = Object.create(null) as Record<string, T>;
  for (const [name, value] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) made[name] = value;
  return made;
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
