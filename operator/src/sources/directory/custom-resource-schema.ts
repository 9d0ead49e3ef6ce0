import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { CrdSchema, SchemaProblem } from './crd-schema.js';
import { RuleChecker } from './validation-rules.js';

/**
 * Says of a spec what the API server would say: structure, defaults, unknown fields, list uniqueness and CEL rules of
 * one and the same schema.
 */
export class CustomResourceSchema {
  private readonly structure: ValidateFunction;
  private readonly rules: RuleChecker;

  constructor(
    private readonly schema: CrdSchema,
    private readonly root: string,
  ) {
    this.structure = new Ajv({ allErrors: true, useDefaults: true, strict: false, verbose: true, validateFormats: false }).compile(closed(schema));
    this.rules = new RuleChecker(schema, root);
  }

  /**
   * A copy of the value with defaults, and what is wrong with it. Rules of more than one field are judged only when
   * the structure is right.
   * @param old the stored value, for rules about changes
   */
  check(input: unknown, old: unknown): { readonly value: unknown; readonly problems: readonly SchemaProblem[] } {
    // Also drops what JSON cannot carry, so that what is judged is what will be stored.
    const value: unknown = JSON.parse(JSON.stringify(input ?? null));
    if (!this.structure(value)) return { value, problems: (this.structure.errors ?? []).map((error) => this.explain(error)) };
    return { value, problems: [...duplicates(this.schema, value, this.root), ...this.rules.check(value, old)] };
  }

  private explain(error: ErrorObject): SchemaProblem {
    const path = this.root + error.instancePath.replaceAll(/\/(\d+)/g, '[$1]').replaceAll('/', '.');
    const { params, keyword } = error as { keyword: string; params: Record<string, unknown> };
    if (keyword === 'additionalProperties') return unknownField(path, String(params['additionalProperty']), error.parentSchema as CrdSchema);
    if (keyword === 'required') return { path: `${path}.${String(params['missingProperty'])}`, message: 'is required' };
    if (keyword === 'enum') return { path, message: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}` };
    if (keyword === 'type') return { path, message: `must be of type ${String(params['type'])}` };
    return { path, message: error.message ?? 'is not valid' };
  }
}

function unknownField(path: string, field: string, schema: CrdSchema): SchemaProblem {
  const known = Object.keys(schema.properties ?? {});
  const meant = known.find((name) => name.toLowerCase() === field.toLowerCase());
  return { path: `${path}.${field}`, message: meant ? `unknown field; did you mean ${meant}?` : `unknown field; remove it (known fields: ${known.join(', ')})` };
}

/** The schema as JSON schema in which fields that nobody declared are errors. */
function closed(schema: CrdSchema): Record<string, unknown> {
  const result: Record<string, unknown> = { ...schema };
  if (schema.items) result['items'] = closed(schema.items);
  if (schema.properties) {
    result['properties'] = Object.fromEntries(Object.entries(schema.properties).map(([name, value]) => [name, closed(value)]));
    result['additionalProperties'] = schema['x-kubernetes-preserve-unknown-fields'] === true;
  }
  return result;
}

/** Entries that a list of type map or set has twice. */
function duplicates(schema: CrdSchema, value: unknown, path: string): SchemaProblem[] {
  if (Array.isArray(value)) {
    const keys = schema['x-kubernetes-list-map-keys'];
    const unique = schema['x-kubernetes-list-type'] === 'map' || schema['x-kubernetes-list-type'] === 'set';
    const identities = value.map((item) => JSON.stringify(keys ? keys.map((key) => (item as Record<string, unknown>)[key]) : item));
    const own = unique ? identities.flatMap((identity, index) => (identities.indexOf(identity) < index ? [{ path: `${path}[${index}]`, message: `duplicate value ${identity}` }] : [])) : [];
    return [...own, ...value.flatMap((item, index) => duplicates(schema.items ?? {}, item, `${path}[${index}]`))];
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, child]) => duplicates(schema.properties?.[name] ?? {}, child, `${path}.${name}`));
}
