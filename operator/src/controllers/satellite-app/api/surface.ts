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
/** Of the text of a surface. */
export const SURFACE_LIMIT = 1024 * 1024;
/** Of what is read for it, in characters: what is named in many places is read in each, so a small document can be large. */
const READING_LIMIT = 3 * SURFACE_LIMIT;
/** What one schema, and one entry of a list or an object, counts in addition to its names. */
const SCHEMA_COST = 32;
const ENTRY_COST = 8;

/** The document describes nothing that can be compared; the message says why. */
export class NoSurface extends Error {}

/** The document describes more than is compared. */
export class SurfaceTooLarge extends NoSurface {}

/** What an OpenAPI 3 document says; throws NoSurface for what is none. The work has a bound, whatever the document. */
export function surfaceOf(document: unknown): Surface {
  const root = objectOf(document);
  if (typeof root['openapi'] !== 'string' || !root['openapi'].startsWith('3.')) throw new NoSurface('only documents of OpenAPI 3 can be compared');
  try {
    return new Reading(root).surface();
  } catch (error) {
    // Values of enumerations are taken as they are, and those may be nested without end.
    throw error instanceof RangeError ? new NoSurface('its values are nested too deep', { cause: error }) : error;
  }
}

/** Same text for same surfaces. */
export function surfaceText(surface: Surface): string {
  return JSON.stringify(surface);
}

export function surfaceDigest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

class Reading {
  /** By canonical name, so that another spelling of a pointer is no other schema. */
  private readonly schemas = new Map<string, SurfaceSchema>();
  private readonly pending = new Map<string, readonly string[]>();
  private left = READING_LIMIT;

  constructor(private readonly root: Json) {}

  surface(): Surface {
    const operations: [string, SurfaceOperation][] = [];
    for (const [path, item] of this.entries(this.root['paths'])) {
      const shared = this.resolved(item);
      for (const method of METHODS) {
        if (shared[method] === undefined) continue;
        this.spend(path.length);
        // The names of a path's parts are the server's own affair.
        operations.push([`${method.toUpperCase()} ${path.replace(/\{[^{}]*\}/g, '{}')}`, this.operation(objectOf(shared[method]), this.list(shared['parameters']))]);
      }
    }
    // Schemas that are named are read one after the other, not one in the other: a chain of them may be long, or a ring.
    for (const [name, pointer] of this.pending) this.schemas.set(name, this.schema(this.at(pointer)));
    return { operations: sorted(operations), schemas: sorted([...this.schemas]) };
  }

  private operation(given: Json, shared: readonly unknown[]): SurfaceOperation {
    const parameters = [...shared, ...this.list(given['parameters'])].map((parameter) => this.resolved(parameter)).filter((parameter) => parameter['in'] !== 'path');
    const body = given['requestBody'] === undefined ? undefined : this.resolved(given['requestBody']);
    const responses = this.entries(given['responses']).filter(([status]) => /^2(\d\d|XX)$/i.test(status));
    return {
      parameters: sorted(parameters.map((parameter) => [this.text(`${String(parameter['in'])} ${String(parameter['name'])}`), { required: parameter['required'] === true, schema: this.schema(parameter['schema'] ?? {}) }])),
      ...(body && { body: { required: body['required'] === true, content: this.content(body['content']) } }),
      responses: sorted(responses.map(([status, response]) => [status, this.content(this.resolved(response)['content'])])),
    };
  }

  private content(given: unknown): SurfaceContent {
    return sorted(this.entries(given).map(([media, value]) => [(media.split(';', 1)[0] as string).trim().toLowerCase(), this.schema(objectOf(value)['schema'] ?? {})]));
  }

  private schema(given: unknown, depth = 0): SurfaceSchema {
    if (depth > MAX_DEPTH) throw new NoSurface(`schemas are nested deeper than ${MAX_DEPTH}`);
    this.spend(SCHEMA_COST);
    if (given === true) return {};
    const schema = objectOf(given);
    const ref = schema['$ref'];
    if (typeof ref === 'string') return this.reference(ref);
    const inner = (value: unknown): SurfaceSchema => this.schema(value, depth + 1);
    const others = schema['additionalProperties'];
    const any = [...this.list(schema['oneOf']), ...this.list(schema['anyOf'])];
    return compact({
      types: this.typesOf(schema),
      format: this.optionalText(schema['format']),
      values: this.valuesOf(schema),
      properties: schema['properties'] === undefined ? undefined : sorted(this.entries(schema['properties']).map(([name, property]) => [name, inner(property)])),
      required: schema['required'] === undefined ? undefined : this.list(schema['required']).map((name) => this.text(String(name))).sort(),
      closed: others === false || undefined,
      others: typeof others === 'object' && others !== null ? inner(others) : undefined,
      items: schema['items'] === undefined ? undefined : inner(schema['items']),
      all: schema['allOf'] === undefined ? undefined : this.list(schema['allOf']).map(inner),
      any: any.length === 0 ? undefined : any.map(inner),
      bounds: boundsOf(schema),
      pattern: this.optionalText(schema['pattern']),
    });
  }

  private typesOf({ type, nullable }: Json): readonly string[] | undefined {
    if (type === undefined) return undefined;
    const types = Array.isArray(type) ? this.list(type) : [type];
    return [...new Set([...types.map((name) => this.text(String(name))), ...(nullable === true ? ['null'] : [])])].sort();
  }

  private valuesOf(schema: Json): readonly string[] | undefined {
    if (schema['const'] !== undefined) return [this.text(JSON.stringify(schema['const']))];
    return Array.isArray(schema['enum']) ? this.list(schema['enum']).map((value) => this.text(JSON.stringify(value))).sort() : undefined;
  }

  /** A schema may name itself: it is read later. */
  private reference(ref: string): SurfaceSchema {
    const pointer = this.pointer(ref);
    const [components, schemas, own] = pointer;
    const isNamed = pointer.length === 3 && components === 'components' && schemas === 'schemas' && /^[\w.-]+$/.test(own as string);
    const name = isNamed ? (own as string) : `#/${pointer.map((part) => part.replace(/~/g, '~0').replace(/\//g, '~1')).join('/')}`;
    if (!this.pending.has(name)) this.pending.set(name, pointer);
    return { ref: name };
  }

  private resolved(given: unknown): Json {
    this.spend(SCHEMA_COST);
    const value = objectOf(given);
    return typeof value['$ref'] === 'string' ? objectOf(this.at(this.pointer(value['$ref']))) : value;
  }

  private pointer(ref: string): readonly string[] {
    this.spend(ref.length);
    if (!ref.startsWith('#/')) throw new NoSurface(`${ref.slice(0, 200)} is in another document`);
    try {
      return ref.slice(2).split('/').map((part) => decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~'));
    } catch (error) {
      throw new NoSurface(`${ref.slice(0, 200)} is no pointer`, { cause: error });
    }
  }

  private at(pointer: readonly string[]): unknown {
    return pointer.reduce<unknown>((at, part) => (Object.hasOwn(objectOf(at), part) ? objectOf(at)[part] : undefined), this.root);
  }

  private entries(value: unknown): readonly (readonly [string, unknown])[] {
    const entries = Object.entries(objectOf(value));
    for (const [name] of entries) this.spend(ENTRY_COST + name.length);
    return entries;
  }

  private list(value: unknown): readonly unknown[] {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    this.spend(list.length * ENTRY_COST);
    return list;
  }

  private text(text: string): string {
    this.spend(text.length);
    return text;
  }

  private optionalText(value: unknown): string | undefined {
    return typeof value === 'string' ? this.text(value) : undefined;
  }

  private spend(characters: number): void {
    this.left -= characters;
    if (this.left < 0) throw new SurfaceTooLarge('it describes too many operations and schemas');
  }
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
