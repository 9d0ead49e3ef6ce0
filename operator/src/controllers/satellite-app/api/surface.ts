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
type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'];
/** Deeper than this is either a mistake or an attack. */
const MAX_DEPTH = 64;
/** Of the text of a surface. */
export const SURFACE_LIMIT = 1024 * 1024;
/** Of what is read for it, in characters: what is named in many places is read in each, so a small document can be large. */
const READING_LIMIT = 3 * SURFACE_LIMIT;
/** What one schema, one entry of a list or an object, and one operation counts in addition to its names. */
const SCHEMA_COST = 32;
const ENTRY_COST = 8;
const OPERATION_COST = 256;
/** What one part of a pointer counts. */
const PART_COST = 32;
const ESCAPES = /[%~]/;
const SEPARATORS = /[~/]/;
const NOTHING: Json = Object.freeze({});

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

type Operations = readonly (readonly [method: string, SurfaceOperation])[];

/** What was read of parts of the document, and what each counted. */
class Once<T> extends WeakMap<object, { readonly value: T; readonly cost: number }> {}

class Reading {
  /** By canonical name, so that another spelling of a pointer is no other schema. */
  private readonly schemas = new Map<string, SurfaceSchema>();
  private readonly pending = new Map<string, readonly string[]>();
  private readonly pointers = new Map<string, readonly string[]>();
  private readonly items = new Once<Operations>();
  private readonly parameters = new Once<readonly [string, SurfaceParameter]>();
  private readonly contents = new Once<SurfaceContent>();
  private left = READING_LIMIT;

  constructor(private readonly root: Json) {}

  surface(): Surface {
    const operations: [string, SurfaceOperation][] = [];
    for (const [path, given] of this.entries(this.root['paths'])) {
      // The names of a path's parts are the server's own affair.
      const name = path.replace(/\{[^{}]*\}/g, '{}');
      for (const [method, operation] of this.item(this.resolved(given))) {
        this.spend(path.length);
        operations.push([`${method} ${name}`, operation]);
      }
    }
    // Schemas that are named are read one after the other, not one in the other: a chain of them may be long, or a ring.
    for (const [name, pointer] of this.pending) this.schemas.set(name, this.schema(this.at(pointer)));
    return { operations: sorted(operations), schemas: sorted([...this.schemas]) };
  }

  /** The operations of a path, by method. */
  private item(given: Json): Operations {
    return this.once(this.items, given, () => METHODS.filter((method) => given[method] !== undefined).map((method) => [method.toUpperCase(), this.operation(objectOf(given[method]), this.list(given['parameters']))]));
  }

  private operation(given: Json, shared: readonly unknown[]): SurfaceOperation {
    this.spend(OPERATION_COST);
    const parameters = [...shared, ...this.list(given['parameters'])].map((parameter) => this.resolved(parameter)).filter((parameter) => parameter['in'] !== 'path');
    const body = given['requestBody'] === undefined ? undefined : this.resolved(given['requestBody']);
    const responses = this.entries(given['responses']).filter(([status]) => /^2(\d\d|XX)$/i.test(status));
    return {
      parameters: sorted(parameters.map((parameter) => this.parameter(parameter))),
      ...(body && { body: { required: body['required'] === true, content: this.content(body) } }),
      responses: sorted(responses.map(([status, response]) => [status, this.content(this.resolved(response))])),
    };
  }

  private parameter(given: Json): readonly [string, SurfaceParameter] {
    return this.once(this.parameters, given, () => [this.text(`${String(given['in'])} ${String(given['name'])}`), { required: given['required'] === true, schema: this.schema(given['schema'] ?? {}) }]);
  }

  /** Of a body or a response. */
  private content(given: Json): SurfaceContent {
    return this.once(this.contents, given, () => sorted(this.entries(given['content']).map(([media, value]) => [(media.split(';', 1)[0] as string).trim().toLowerCase(), this.schema(objectOf(value)['schema'] ?? {})])));
  }

  /** One statement a field, in the order in which they are written: there are tens of thousands of schemas. */
  private schema(given: unknown, depth = 0): SurfaceSchema {
    if (depth > MAX_DEPTH) throw new NoSurface(`schemas are nested deeper than ${MAX_DEPTH}`);
    this.spend(SCHEMA_COST);
    if (given === true) return {};
    const schema = objectOf(given);
    const { $ref, type, format, properties, required, additionalProperties: others, items, allOf, oneOf, anyOf, pattern } = schema;
    if (typeof $ref === 'string') return this.reference($ref);
    const made: Writable<SurfaceSchema> = {};
    if (type !== undefined) made.types = this.typesOf(type, schema['nullable'] === true);
    if (typeof format === 'string') made.format = this.text(format);
    const values = this.valuesOf(schema);
    if (values) made.values = values;
    if (properties !== undefined) made.properties = this.schemasOf(properties, depth + 1);
    if (required !== undefined) made.required = this.list(required).map((name) => this.text(String(name))).sort();
    if (others === false) made.closed = true;
    if (typeof others === 'object' && others !== null) made.others = this.schema(others, depth + 1);
    if (items !== undefined) made.items = this.schema(items, depth + 1);
    if (allOf !== undefined) made.all = this.variants(allOf, depth + 1);
    const any = oneOf === undefined && anyOf === undefined ? [] : [...this.variants(oneOf, depth + 1), ...this.variants(anyOf, depth + 1)];
    if (any.length > 0) made.any = any;
    const bounds = boundsOf(schema);
    if (bounds) made.bounds = bounds;
    if (typeof pattern === 'string') made.pattern = this.text(pattern);
    return made;
  }

  private schemasOf(given: unknown, depth: number): Readonly<Record<string, SurfaceSchema>> {
    const properties = objectOf(given);
    const made = Object.create(null) as Record<string, SurfaceSchema>;
    for (const name of Object.keys(properties).sort()) {
      this.spend(ENTRY_COST + name.length);
      made[name] = this.schema(properties[name], depth);
    }
    return made;
  }

  private variants(given: unknown, depth: number): readonly SurfaceSchema[] {
    return this.list(given).map((variant) => this.schema(variant, depth));
  }

  private typesOf(type: unknown, nullable: boolean): readonly string[] {
    if (typeof type === 'string' && !nullable) return [this.text(type)];
    const types = Array.isArray(type) ? this.list(type) : [type];
    return [...new Set([...types.map((name) => this.text(String(name))), ...(nullable ? ['null'] : [])])].sort();
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
    const name = isNamed ? (own as string) : `#/${pointer.map((part) => (SEPARATORS.test(part) ? part.replace(/~/g, '~0').replace(/\//g, '~1') : part)).join('/')}`;
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
    const known = this.pointers.get(ref);
    if (known) return known;
    if (!ref.startsWith('#/')) throw new NoSurface(`${ref.slice(0, 200)} is in another document`);
    const parts = ref.slice(2).split('/');
    this.spend(parts.length * PART_COST);
    try {
      const pointer = ESCAPES.test(ref) ? parts.map((part) => decodeURIComponent(part).replace(/~1/g, '/').replace(/~0/g, '~')) : parts;
      this.pointers.set(ref, pointer);
      return pointer;
    } catch (error) {
      throw new NoSurface(`${ref.slice(0, 200)} is no pointer`, { cause: error });
    }
  }

  private at(pointer: readonly string[]): unknown {
    return pointer.reduce<unknown>((at, part) => (Object.hasOwn(objectOf(at), part) ? objectOf(at)[part] : undefined), this.root);
  }

  /** What many name is large in the end, however often it is read: so it counts as often. */
  private once<T>(known: Once<T>, part: object, read: () => T): T {
    const found = known.get(part);
    if (found) {
      this.spend(found.cost);
      return found.value;
    }
    const before = this.left;
    const value = read();
    known.set(part, { value, cost: before - this.left });
    return value;
  }

  private entries(value: unknown): readonly (readonly [string, unknown])[] {
    const entries = Object.entries(objectOf(value));
    for (const [name] of entries) this.spend(ENTRY_COST + name.length);
    return entries;
  }

  private list(value: unknown): readonly unknown[] {
    if (!Array.isArray(value)) return [];
    this.spend(value.length * ENTRY_COST);
    return value;
  }

  private text(text: string): string {
    this.spend(text.length);
    return text;
  }

  private spend(characters: number): void {
    this.left -= characters;
    if (this.left < 0) throw new SurfaceTooLarge('it describes too many operations and schemas');
  }
}

function boundsOf(schema: Json): Readonly<Record<string, number>> | undefined {
  let bounds: Record<string, number> | undefined;
  for (const name of BOUNDS) {
    const bound = schema[name];
    if (typeof bound === 'number') (bounds ??= {})[name] = bound;
  }
  return bounds;
}

/** Names come from outside: an object without a prototype takes each as a name and nothing else. */
function sorted<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const made = Object.create(null) as Record<string, T>;
  for (const [name, value] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) made[name] = value;
  return made;
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : NOTHING;
}
