import { randomUUID } from 'node:crypto';
import type { OpenApiDocument, OpenApiOperation } from '../http/index.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type OperationMethod = (typeof METHODS)[number];

/** One operation of a REST interface, as its generated description has it. */
export interface Operation {
  /** `GET /users/{id}`. */
  readonly name: string;
  readonly method: OperationMethod;
  /** From the root, with `{names}` in it. */
  readonly path: string;
  /** Names of the path's parameters. */
  readonly parameters: readonly string[];
  /** It takes `page` and `limit`. */
  readonly isPaged: boolean;
  /** Nobody needs a token. */
  readonly isPublic: boolean;
  /** With and without a token. */
  readonly isOptional: boolean;
  /** Takes tokens of services, and nobody else's. */
  readonly isForServices: boolean;
  /** What the caller must hold; empty for what every signed-in person may do. */
  readonly permissions: readonly string[];
  /** Permissions each of which would do as well. */
  readonly alternatives: readonly string[];
}

/** Every operation there is: generated, so that a new route cannot be forgotten. */
export function operationsOf(document: OpenApiDocument): readonly Operation[] {
  const base = document.servers?.[0]?.url ?? '';
  return Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([verb, described]) => operationOf(base, path, verb, described)));
}

function operationOf(base: string, path: string, verb: string, { security, parameters = [] }: OpenApiOperation): Operation {
  const name = `${verb.toUpperCase()} ${path}`;
  const method = METHODS.find((known) => known === verb);
  if (method === undefined) throw new Error(`${name}: teach the matrices this method`);
  if (security === undefined) throw new Error(`${name} does not say who may call it`);
  const ways = security.map((way) => Object.values(way).flat());
  if (security.length > 1 && !ways.every((permissions) => permissions.length === 1)) throw new Error(`${name}: several ways to be allowed; teach the matrices what that means`);
  const requirement = security.at(-1) ?? {}; // the last one is the one that a refusal names
  return {
    name,
    method,
    path: `${base}${path}`,
    parameters: [...path.matchAll(/{([^}]+)}/g)].map(([, parameter]) => parameter ?? ''),
    isPaged: parameters.some((parameter) => parameter.name === 'page'),
    isPublic: security.length === 0,
    isOptional: 'optional_bearer' in requirement,
    isForServices: 'service' in requirement,
    permissions: ways.at(-1) ?? [],
    alternatives: ways.slice(0, -1).flat(),
  };
}

/** The operation's address with these values, random ids for what is not given. */
export function addressOf(operation: Operation, values: Readonly<Record<string, string>> = {}): string {
  return operation.path.replace(/{([^}]+)}/g, (_, parameter: string) => values[parameter] ?? randomUUID());
}

/** For `it.each`. */
export const named = (list: readonly Operation[]): [string, Operation][] => list.map((operation) => [operation.name, operation]);
