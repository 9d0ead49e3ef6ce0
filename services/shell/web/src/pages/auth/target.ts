/** Where to go after the sign-in: a path of this page, never another site. */
export function targetOf(search: URLSearchParams): string {
  const wish = search.get('to') ?? '/';
  const target = new URL(wish, location.origin);
  return target.origin === location.origin && !target.pathname.startsWith('/sign-in') ? target.pathname + target.search + target.hash : '/';
}
