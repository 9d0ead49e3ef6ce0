/**
 * Where to go after a sign-in: a path on the platform's own origin, given as a path or as a whole address of it.
 * Everything that a browser could read as another origin becomes `/`.
 */
export function returnPathOf(given: string | undefined, publicUrl: string): string {
  if (given === undefined || given.length > 2000) return '/';
  // eslint-disable-next-line no-control-regex -- browsers drop tabs and line breaks inside addresses
  if (/[\\\u0000-\u0020\u007f]|%2f|%5c/i.test(given)) return '/';
  const base = new URL(publicUrl);
  if (!URL.canParse(given, base.href)) return '/';
  const url = new URL(given, base);
  const absolute = given.startsWith(`${base.origin}/`);
  const path = given.startsWith('/') && !given.startsWith('//');
  if (!(absolute || path) || url.origin !== base.origin || url.username !== '' || url.password !== '') return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
