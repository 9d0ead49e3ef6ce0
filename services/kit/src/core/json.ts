/** How deep a JSON value is nested, at most `stopAt` + 1; iterative, because a hostile one may be thousands of levels deep. */
export function jsonDepth(root: unknown, stopAt: number): number {
  let level: unknown[] = [root];
  for (let depth = 0; ; depth += 1) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    if (level.length === 0 || depth > stopAt) return depth;
  }
}

/** True when a JSON value has text that PostgreSQL's jsonb refuses, as a name or a value: NUL, or half a character. For values whose depth has been checked. */
export function hasUnstorableText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0') || Buffer.from(value).toString() !== value;
  if (Array.isArray(value)) return value.some(hasUnstorableText);
  return typeof value === 'object' && value !== null && Object.entries(value).some((entry) => entry.some(hasUnstorableText));
}

/** A JSON value as text that is the same for equal values, whatever the order of their fields. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'null';
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, sorted(part)]));
}
