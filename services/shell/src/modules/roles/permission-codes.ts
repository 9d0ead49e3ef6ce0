import { InvalidFields } from '@satellite/kit/core';

/** `users:list` in the other notation of the interface: USERS_LIST. */
function upperCaseOf(code: string): string {
  return code.replaceAll(':', '_').toUpperCase();
}

/**
 * Translates permission codes of either notation to `resource:action`, each once, sorted; throws InvalidFields for
 * codes that nobody declares. An upper-case form that two codes share denotes neither.
 */
export function normalizeCodes(given: readonly string[], known: ReadonlySet<string>): string[] {
  const byUpperCase = new Map<string, string | undefined>();
  for (const code of known) byUpperCase.set(upperCaseOf(code), byUpperCase.has(upperCaseOf(code)) ? undefined : code);
  const codes = given.map((code) => (known.has(code) ? code : byUpperCase.get(code)));
  const unknown = given.flatMap((code, index) => (codes[index] === undefined ? [{ field: `permissions.${index}`, message: `"${code.slice(0, 60)}" is not a permission; GET /api/permissions lists them` }] : []));
  if (unknown.length > 0) throw new InvalidFields(unknown);
  return [...new Set(codes.filter((code) => code !== undefined))].sort();
}
