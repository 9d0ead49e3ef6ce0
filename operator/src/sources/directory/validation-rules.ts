import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { messageOf } from '@satellite/kit/core';
import type { CrdSchema, SchemaProblem } from './crd-schema.js';

interface Rule {
  readonly text: string;
  readonly evaluate: ParseResult;
  readonly message: string;
  readonly fieldPath: string;
  /** Compares with the stored value, so it says nothing about a new object. */
  readonly transition: boolean;
}

interface RuleNode {
  readonly rules: readonly Rule[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly items: RuleNode | undefined;
}

/** Judges values by the CEL rules (x-kubernetes-validations) of a schema. Rules are parsed once. */
export class RuleChecker {
  private readonly tree: RuleNode | undefined;

  constructor(
    schema: CrdSchema,
    private readonly root: string,
  ) {
    this.tree = compile(schema, new Environment({ unlistedVariablesAreDyn: true }));
  }

  check(value: unknown, old: unknown): SchemaProblem[] {
    return this.tree ? [...judge(this.tree, value, old, this.root)] : [];
  }
}

/** Only the branches that have rules. */
function compile(schema: CrdSchema, environment: Environment): RuleNode | undefined {
  const rules = (schema['x-kubernetes-validations'] ?? []).map(({ rule, message, fieldPath }): Rule => ({
    text: rule,
    evaluate: environment.parse(rule),
    message: message ?? `breaks the rule ${rule}`,
    fieldPath: fieldPath ?? '',
    transition: /\boldSelf\b/.test(rule),
  }));
  const properties = new Map(Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const node = compile(child, environment);
    return node ? [[name, node] as const] : [];
  }));
  const items = schema.items && compile(schema.items, environment);
  return rules.length > 0 || properties.size > 0 || items ? { rules, properties, items } : undefined;
}

function* judge(node: RuleNode, value: unknown, old: unknown, path: string): Generator<SchemaProblem> {
  for (const rule of node.rules) {
    if (rule.transition && old === undefined) continue;
    const message = verdict(rule, value, old);
    if (message !== undefined) yield { path: path + rule.fieldPath, message };
  }
  for (const [name, child] of node.properties) {
    const inner = field(value, name);
    if (inner !== undefined) yield* judge(child, inner, field(old, name), `${path}.${name}`);
  }
  if (!node.items || !Array.isArray(value)) return;
  for (const [index, item] of value.entries()) yield* judge(node.items, item, undefined, `${path}[${index}]`);
}

/** What is wrong by this rule, if anything. A rule that cannot be evaluated counts as broken, as at the API server. */
function verdict(rule: Rule, self: unknown, oldSelf: unknown): string | undefined {
  try {
    return rule.evaluate({ self, oldSelf }) === true ? undefined : rule.message;
  } catch (error) {
    return `${rule.message} (${messageOf(error).split('\n')[0] ?? rule.text})`;
  }
}

function field(value: unknown, name: string): unknown {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined;
}
