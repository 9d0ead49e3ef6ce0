import type { Surface, SurfaceSchema } from './surface.js';

/** A change that breaks users of an API. */
export interface ApiBreak {
  /** Operation and place in it. */
  readonly where: string;
  readonly what: string;
}

/** What clients send has to be taken as before; what they receive has to be what they expect. */
export type Direction = 'request' | 'response';

/** More are not looked for. */
export const MAX_BREAKS = 100;

/** Properties of one object, with what it is composed of. */
interface Shape {
  readonly properties: Readonly<Record<string, SurfaceSchema>>;
  readonly required: ReadonlySet<string>;
  readonly closed: boolean;
}

/** Compares the schemas of two surfaces. */
export class SchemaComparison {
  readonly breaks: ApiBreak[] = [];
  /** Pairs of named schemas that are being compared, or were: a schema may name itself. */
  private readonly seen = new Set<string>();

  private readonly before: Names;
  private readonly after: Names;

  constructor(before: Surface['schemas'], after: Surface['schemas']) {
    this.before = new Names(before);
    this.after = new Names(after);
  }

  found(where: string, what: string): void {
    if (this.breaks.length < MAX_BREAKS) this.breaks.push({ where, what });
  }

  compare(where: string, old: SurfaceSchema, next: SurfaceSchema, direction: Direction): void {
    if (this.breaks.length >= MAX_BREAKS || this.isSeen(old, next, direction)) return;
    const [a, b] = [this.before.whole(old), this.after.whole(next)];
    if (!this.compareTypes(where, a, b, direction)) return;
    this.compareValues(where, a, b, direction);
    if (direction === 'request') this.compareBounds(where, a, b);
    this.compareProperties(where, shapeOf(a), shapeOf(b), direction);
    if (a.items && b.items) this.compare(`${where}[]`, a.items, b.items, direction);
    if (a.others && b.others) this.compare(`${where}.*`, a.others, b.others, direction);
    this.compareVariants(where, a.any ?? [], b.any, direction);
  }

  /** Of one pair of names the first place tells; the others say the same. */
  private isSeen({ ref: old }: SurfaceSchema, { ref: next }: SurfaceSchema, direction: Direction): boolean {
    if (old === undefined || next === undefined) return false;
    const pair = JSON.stringify([old, next, direction]);
    if (this.seen.has(pair)) return true;
    this.seen.add(pair);
    return false;
  }

  private compareTypes(where: string, a: SurfaceSchema, b: SurfaceSchema, direction: Direction): boolean {
    const [wider, narrower] = direction === 'request' ? [b, a] : [a, b];
    const fits = wider.types === undefined || (narrower.types ?? ['anything']).every((type) => wider.types?.includes(type) || (type === 'integer' && wider.types?.includes('number')));
    if (!fits) this.found(where, `type was ${typeName(a)} and is ${typeName(b)}`);
    // Formats of numbers are about size, and bounds say that better; a string of another form is another type.
    const ofStrings = (a.types ?? []).includes('string') && (b.types ?? []).includes('string');
    if (fits && ofStrings && wider.format !== undefined && narrower.format !== wider.format) this.found(where, `format was ${a.format ?? 'any'} and is ${b.format ?? 'any'}`);
    return fits;
  }

  /** A value more in an answer is no break: clients are told to expect new ones. */
  private compareValues(where: string, { values: old }: SurfaceSchema, { values: next }: SurfaceSchema, direction: Direction): void {
    if (direction === 'response' || next === undefined) return;
    const gone = old?.filter((value) => !next.includes(value));
    if (gone === undefined) this.found(where, `takes only ${listed(next)} now`);
    else if (gone.length > 0) this.found(where, `no longer takes ${listed(gone)}`);
  }

  private compareBounds(where: string, a: SurfaceSchema, b: SurfaceSchema): void {
    for (const [name, bound] of Object.entries(b.bounds ?? {})) {
      const old = a.bounds?.[name];
      const stricter = old === undefined ? !isNatural(name, bound) : name.startsWith('min') ? bound > old : bound < old;
      if (stricter) this.found(where, `${name} was ${old ?? 'unlimited'} and is ${bound}`);
    }
    if (b.pattern !== undefined && b.pattern !== a.pattern) this.found(where, `has to match ${b.pattern.slice(0, 200)} now`);
  }

  private compareProperties(where: string, a: Shape, b: Shape, direction: Direction): void {
    for (const [name, old] of Object.entries(a.properties)) {
      const at = `${where}.${name}`;
      const next = Object.hasOwn(b.properties, name) ? b.properties[name] : undefined;
      if (next) this.compare(at, old, next, direction);
      else if (direction === 'response') this.found(at, 'is no longer there');
      else if (b.closed) this.found(at, 'is no longer taken');
      if (next && direction === 'response' && a.required.has(name) && !b.required.has(name)) this.found(at, 'may be missing now');
    }
    if (direction === 'response') return;
    for (const name of b.required) if (!a.required.has(name)) this.found(`${where}.${name}`, 'has to be sent now');
  }

  /** Variants are paired by their names, those without by their order. */
  private compareVariants(where: string, old: readonly SurfaceSchema[], next: readonly SurfaceSchema[] | undefined, direction: Direction): void {
    if (next === undefined) return;
    for (const [at, variant] of old.entries()) {
      const pair = variant.ref === undefined ? next[at] : next.find(({ ref }) => ref === variant.ref);
      if (pair) this.compare(where, variant, pair, direction);
      else if (direction === 'request') this.found(where, `no longer takes ${variant.ref ?? `variant ${at + 1}`}`);
    }
  }
}

/** The named schemas of one surface. Each is put together once: of schemas that are made of each other there is no end. */
class Names {
  private readonly known = new Map<string, SurfaceSchema>();

  constructor(private readonly schemas: Surface['schemas']) {}

  /** What is behind a name, with all that it is composed of; a name that leads nowhere, or to itself, is anything. */
  whole(schema: SurfaceSchema): SurfaceSchema {
    const { ref } = schema;
    if (ref === undefined) return this.composed(schema);
    const known = this.known.get(ref);
    if (known) return known;
    this.known.set(ref, {});
    const made = this.composed(Object.hasOwn(this.schemas, ref) ? (this.schemas[ref] as SurfaceSchema) : {});
    this.known.set(ref, made);
    return made;
  }

  private composed(schema: SurfaceSchema): SurfaceSchema {
    if (schema.ref !== undefined) return this.whole(schema);
    const parts = (schema.all ?? []).map((part) => this.whole(part));
    if (parts.length === 0) return schema;
    return [schema, ...parts].reduce((a, b) => ({ ...a, ...b, properties: { ...a.properties, ...b.properties }, required: [...(a.required ?? []), ...(b.required ?? [])], bounds: { ...a.bounds, ...b.bounds } }));
  }
}

function shapeOf({ properties = {}, required = [], closed = false }: SurfaceSchema): Shape {
  return { properties, required: new Set(required), closed };
}

/** A bound that holds anyway. */
function isNatural(name: string, bound: number): boolean {
  return (name === 'minLength' || name === 'minItems') && bound === 0;
}

function typeName({ types }: SurfaceSchema): string {
  return types?.join(' or ') ?? 'anything';
}

function listed(values: readonly string[]): string {
  return values.length > 5 ? `${values.slice(0, 5).join(', ')} and ${values.length - 5} more` : values.join(', ');
}
