import { InvalidFields } from '@satellite/kit/core';

/** Where the browser may be sent back to: a path of the platform, or an address of a configured origin. Throws InvalidFields. */
export function returnUrlOf(given: string | undefined, origins: readonly string[]): string {
  const base = origins[0] ?? '';
  if (given === undefined) return base;
  const isPath = given.startsWith('/') && !/^\/[/\\]/.test(given);
  const url = /[\s\\\p{C}]/u.test(given) || !(isPath || /^https?:\/\//i.test(given)) || !URL.canParse(given, base) ? undefined : new URL(given, base);
  if (url === undefined || url.username !== '' || url.password !== '' || !origins.some((origin) => new URL(origin).origin === url.origin)) {
    throw new InvalidFields([{ field: 'returnUrl', message: 'must be a path, or an address of the platform' }]);
  }
  return url.href;
}
