import { InvalidFields, type FieldProblem } from './errors.js';

export type FilterValueType = 'string' | 'number' | 'boolean' | 'timestamp' | 'uuid';

/** What a resource lets a caller filter and sort by: API field → kind of value. The names are the entity's properties. */
export interface ListRules {
  readonly fields: Readonly<Record<string, FilterValueType | { readonly oneOf: readonly string[] }>>;
  /** Fields that can be sorted by. */
  readonly sort: readonly string[];
  /** Used when the caller names none, `-` for descending. */
  readonly defaultSort: string;
  /** Most rows a page; 100 unless given. */
  readonly maxLimit?: number;
}

const OPERATORS = ['eq', 'ne', 'in', 'contains', 'startsWith', 'gt', 'gte', 'lt', 'lte'] as const;
export type FilterOperator = (typeof OPERATORS)[number];
type Scalar = string | number | boolean | Date;

export interface FilterTerm {
  readonly field: string;
  readonly operator: FilterOperator;
  readonly value: Scalar | readonly Scalar[];
}

export interface ListQuery {
  readonly page: number;
  readonly limit: number;
  readonly sort: readonly { readonly field: string; readonly descending: boolean }[];
  readonly filter: readonly FilterTerm[];
}

/** Query parameters as they came. */
export interface ListParameters {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly sort?: string | undefined;
  /** JSON text: `{"status":"active","email":{"contains":"ann"}}`. */
  readonly filter?: string | undefined;
}

const MAX_TERMS = 20;
const MAX_FILTER_CHARS = 4000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Checks list parameters against the rules of a resource; throws InvalidFields naming every problem. */
export function parseListQuery(given: ListParameters, rules: ListRules): ListQuery {
  const problems: FieldProblem[] = [];
  const page = wholeNumber('page', given.page ?? 1, 1, 1_000_000, problems);
  const limit = wholeNumber('limit', given.limit ?? 20, 1, rules.maxLimit ?? 100, problems);
  const sort = parseSort(given.sort ?? rules.defaultSort, rules, problems);
  const filter = parseFilter(given.filter, rules, problems);
  if (problems.length > 0) throw new InvalidFields(problems);
  return { page, limit, sort, filter };
}

function wholeNumber(field: string, value: number, min: number, max: number, problems: FieldProblem[]): number {
  if (!Number.isInteger(value) || value < min || value > max) problems.push({ field, message: `must be a whole number from ${min} to ${max}` });
  return value;
}

function parseSort(text: string, rules: ListRules, problems: FieldProblem[]): ListQuery['sort'] {
  return text.split(',').map((part) => {
    const descending = part.startsWith('-');
    const field = descending ? part.slice(1) : part;
    if (!rules.sort.includes(field)) problems.push({ field: 'sort', message: `cannot sort by "${field.slice(0, 40)}"; use ${rules.sort.join(', ')}, with - before it for descending` });
    return { field, descending };
  });
}

function parseFilter(text: string | undefined, rules: ListRules, problems: FieldProblem[]): FilterTerm[] {
  if (text === undefined || text === '') return [];
  const root = text.length <= MAX_FILTER_CHARS ? parseObject(text) : undefined;
  if (root === undefined) {
    problems.push({ field: 'filter', message: `must be a JSON object of at most ${MAX_FILTER_CHARS} characters, like {"status":"active"}` });
    return [];
  }
  const terms = Object.entries(root).flatMap(([field, condition]) => termsOf(field, condition, rules, problems));
  if (terms.length > MAX_TERMS) problems.push({ field: 'filter', message: `has more than ${MAX_TERMS} terms` });
  return terms;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function termsOf(field: string, condition: unknown, rules: ListRules, problems: FieldProblem[]): FilterTerm[] {
  if (!Object.hasOwn(rules.fields, field)) {
    problems.push({ field: `filter.${field.slice(0, 40)}`, message: `is not a field to filter by; use ${Object.keys(rules.fields).join(', ')}` });
    return [];
  }
  const conditions = typeof condition === 'object' && condition !== null && !Array.isArray(condition) ? Object.entries(condition) : [['eq', condition] as const];
  return conditions.flatMap(([operator, value]) => {
    const term = termOf(field, operator, value, rules);
    if (typeof term !== 'string') return [term];
    problems.push({ field: `filter.${field}.${operator.slice(0, 20)}`, message: term });
    return [];
  });
}

/** The term, or what is wrong with it. */
function termOf(field: string, operator: string, value: unknown, rules: ListRules): FilterTerm | string {
  const known = OPERATORS.find((candidate) => candidate === operator);
  if (known === undefined) return `is not an operator; use ${OPERATORS.join(', ')}`;
  const type = rules.fields[field] ?? 'string';
  if ((known === 'contains' || known === 'startsWith') && type !== 'string') return 'works on text fields only';
  if (known !== 'in') {
    const one = scalarOf(type, value);
    return one === undefined ? `must be ${nameOf(type)}` : { field, operator: known, value: one };
  }
  if (!Array.isArray(value) || value.length === 0 || value.length > 100) return 'must be a list of 1 to 100 values';
  const many = value.map((item) => scalarOf(type, item));
  return many.some((item) => item === undefined) ? `must be a list whose items are each ${nameOf(type)}` : { field, operator: known, value: many as Scalar[] };
}

function nameOf(type: ListRules['fields'][string]): string {
  return typeof type === 'string' ? `a ${type}` : `one of ${type.oneOf.join(', ')}`;
}

function scalarOf(type: ListRules['fields'][string], value: unknown): Scalar | undefined {
  if (typeof type === 'object') return typeof value === 'string' && type.oneOf.includes(value) ? value : undefined;
  switch (type) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'timestamp':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value) : undefined;
    case 'uuid':
      return typeof value === 'string' && UUID.test(value) ? value : undefined;
    case 'string':
      return typeof value === 'string' && !value.includes('\0') ? value : undefined;
  }
}
