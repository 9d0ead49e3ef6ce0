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
/** A fraction of a second; the largest surfaces take half of it. */
const MAX_STEPS = 250_000;
const PAIR_STEPS = 4;
/** Of names that are composed of other names. */
const MAX_DEPTH = 100;

/** The comparison was given up; the message says why. */
export class NotCompared extends Error {}

/** Properties of one object, with what it is composed of. */
interface Shape {
  readonly properties: Readonly<Record<string, SurfaceSchema>>;
  readonly required: ReadonlySet<string>;
  readonly closed: boolean;
}

interface Pair {
  readonly where: string;
  readonly old: SurfaceSchema;
  readonly next: SurfaceSchema;
  readonly direction: Direction;
}

/** Compares the schemas of two surfaces; throws NotCompared when that is too much work. */
export class SchemaComparison {
  readonly breaks: ApiBreak[] = [];
  /** Pairs that were compared or will be: a schema may name itself. */
  private readonly seen = new Set<string>();
  private readonly numbers = new Map<unknown, number>();
  private readonly pending: Pair[] = [];
  private isComparing = false;

  private readonly steps = new Steps();
  private readonly before: Names;
  private readonly after: Names;

  constructor(before: Surface['schemas'], after: Surface['schemas']) {
    this.before = new Names(before, this.steps);
    this.after = new Names(after, this.steps);
  }

  found(where: string, what: string): void {
    if (this.breaks.length < MAX_BREAKS) this.breaks.push({ where, what });
  }

  /** One pair after the other, not one in the other: a chain of schemas may be long. */
  compare(where: string, old: SurfaceSchema, next: SurfaceSchema, direction: Direction): void {
    this.pending.push({ where, old, next, direction });
    if (this.isComparing) return;
    this.isComparing = true;
    // The list grows while it is walked.
    for (const pair of this.pending) this.comparePair(pair);
    this.pending.length = 0;
    this.isComparing = false;
  }

  private comparePair({ where, old, next, direction }: Pair): void {
    if (this.breaks.length >= MAX_BREAKS || this.isSeen(nameOf(old), nameOf(next), direction)) return;
    const [a, b] = [this.before.whole(old), this.after.whole(next)];
    this.steps.take(PAIR_STEPS + sizeOf(a) + sizeOf(b));
    if (!this.compareTypes(where, a, b, direction)) return;
    this.compareValues(where, a, b, direction);
    if (direction === 'request') this.compareBounds(where, a, b);
    this.compareProperties(where, shapeOf(a), shapeOf(b), direction);
    if (a.items && b.items) this.compare(`${where}[]`, a.items, b.items, direction);
    if (a.others && b.others) this.compare(`${where}.*`, a.others, b.others, direction);
    this.compareVariants(where, a.any ?? [], b.any, direction);
  }

  /** Of one pair the first place tells; the others say the same. */
  private isSeen(old: string | SurfaceSchema, next: string | SurfaceSchema, direction: Direction): boolean {
    const pair = `${this.numberOf(old)} ${this.numberOf(next)} ${direction}`;
    if (this.seen.has(pair)) return true;
    this.seen.add(pair);
    return false;
  }

  private numberOf(schema: string | SurfaceSchema): number {
    const known = this.numbers.get(schema) ?? this.numbers.size;
    this.numbers.set(schema, known);
    return known;
  }

  private compareTypes(where: string, a: SurfaceSchema, b: SurfaceSchema, direction: Direction): boolean {
    const [wider, narrower] = direction === 'request' ? [b, a] : [a, b];
    const taken = wider.types && new Set(wider.types);
    const fits = taken === undefined || (narrower.types ?? ['anything']).every((type) => taken.has(type) || (type === 'integer' && taken.has('number')));
    if (!fits) this.found(where, `type was ${typeName(a)} and is ${typeName(b)}`);
    // Formats of numbers are about size, and bounds say that better; a string of another form is another type.
    const ofStrings = (a.types ?? []).includes('string') && (b.types ?? []).includes('string');
    if (fits && ofStrings && wider.format !== undefined && narrower.format !== wider.format) this.found(where, `format was ${a.format ?? 'any'} and is ${b.format ?? 'any'}`);
    return fits;
  }

  /** A value more in an answer is no break: clients are told to expect new ones. */
  private compareValues(where: string, { values: old }: SurfaceSchema, { values: next }: SurfaceSchema, direction: Direction): void {
    if (direction === 'response' || next === undefined) return;
    const taken = new Set(next);
    const gone = old?.filter((value) => !taken.has(value));
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
    const named = new Map(next.map((variant) => [nameOf(variant), variant]));
    for (const [at, variant] of old.entries()) {
      const name = nameOf(variant);
      const pair = typeof name === 'string' ? named.get(name) : next[at];
      if (pair) this.compare(where, variant, pair, direction);
      else if (direction === 'request') this.found(where, `no longer takes ${typeof name === 'string' ? name : `variant ${at + 1}`}`);
    }
  }
}

/** What is composed of other schemas is put together once: of schemas that are made of each other there is no end. */
class Names {
  private readonly known = new Map<string | SurfaceSchema, SurfaceSchema>();

  constructor(
    private readonly schemas: Surface['schemas'],
    private readonly steps: Steps,
  ) {}

  /** What is behind a name, with all that it is composed of; a name that leads nowhere, or to itself, is anything. */
  whole(schema: SurfaceSchema, depth = 0): SurfaceSchema {
    if (depth > MAX_DEPTH) throw new NotCompared(`schemas are composed of each other deeper than ${MAX_DEPTH}`);
    const name = nameOf(schema);
    if (typeof name !== 'string' && !name.all?.length) return name;
    const known = this.known.get(name);
    if (known) return known;
    this.known.set(name, {});
    const made = typeof name === 'string' ? this.whole(this.named(name), depth + 1) : this.composed(name, depth);
    this.known.set(name, made);
    return made;
  }

  private named(name: string): SurfaceSchema {
    return Object.hasOwn(this.schemas, name) ? (this.schemas[name] as SurfaceSchema) : {};
  }

  private composed(schema: SurfaceSchema, depth: number): SurfaceSchema {
    const parts = [schema, ...(schema.all ?? []).map((part) => this.whole(part, depth + 1))];
    this.steps.take(parts.reduce((sum, part) => sum + 1 + sizeOf(part), 0));
    // Without a prototype: names come from outside.
    const properties = Object.assign(Object.create(null), ...parts.map((part) => part.properties)) as Record<string, SurfaceSchema>;
    const required = new Set(parts.flatMap((part) => part.required ?? []));
    return Object.assign({}, ...parts, { properties, required: [...required], bounds: Object.assign({}, ...parts.map(({ bounds }) => bounds)) as Record<string, number> }) as SurfaceSchema;
  }
}

/** Work that a comparison may make. */
class Steps {
  private left = MAX_STEPS;

  take(count: number): void {
    this.left -= count;
    if (this.left < 0) throw new NotCompared('its schemas are combined in too many ways');
  }
}

/** The name of a schema, or itself. Documents of OpenAPI 3.0 can say more of a name only by composing it alone. */
function nameOf(schema: SurfaceSchema): string | SurfaceSchema {
  let at = schema;
  while (at.ref === undefined && at.all?.length === 1 && Object.keys(at).length === 1) at = at.all[0] as SurfaceSchema;
  return at.ref ?? at;
}

function sizeOf({ properties, required, values, types, any }: SurfaceSchema): number {
  return (properties ? Object.keys(properties).length : 0) + (required?.length ?? 0) + (values?.length ?? 0) + (types?.length ?? 0) + (any?.length ?? 0);
}

function shapeOf({ properties = {}, required = [], closed = false }: SurfaceSchema): Shape {
  return { properties, required: new Set(required), closed };
}

/** A bound that holds anyway. */
function isNatural(name: string, bound: number): boolean {
  return (name === 'minLength' || name === 'minItems') && bound === 0;
}

function typeName({ types }: SurfaceSchema): string {
  return types === undefined ? 'anything' : types.length > 5 ? listed(types) : types.join(' or ');
}

function listed(values: readonly string[]): string {
  const first = values.slice(0, 5).map((value) => value.slice(0, 200)).join(', ');
  return values.length > 5 ? `${first} and ${values.length - 5} more` : first;
}
