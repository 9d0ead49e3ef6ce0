import { InvalidFields } from '@satellite/kit/core';

export interface WindowParameters {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

const MAX_LIMIT = 100;
const MAX_OFFSET = 10_000_000;

/** A part of a list by `limit` and `offset`; throws InvalidFields. */
export function parseWindow({ limit, offset = 0 }: WindowParameters, defaults: { readonly limit: number }): { limit: number; offset: number } {
  const rows = limit ?? defaults.limit;
  const problems = [
    ...(Number.isInteger(rows) && rows >= 1 && rows <= MAX_LIMIT ? [] : [{ field: 'limit', message: `must be a whole number from 1 to ${MAX_LIMIT}` }]),
    ...(Number.isInteger(offset) && offset >= 0 && offset <= MAX_OFFSET ? [] : [{ field: 'offset', message: `must be a whole number from 0 to ${MAX_OFFSET}` }]),
  ];
  if (problems.length > 0) throw new InvalidFields(problems);
  return { limit: rows, offset };
}
