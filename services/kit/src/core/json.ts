/** How deep a JSON value is nested, at most `stopAt` + 1; iterative, because a hostile one may be thousands of levels deep. */
export function jsonDepth(root: unknown, stopAt: number): number {
  let level: unknown[] = [root];
  for (let depth = 0; ; depth += 1) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    if (level.length === 0 || depth > stopAt) return depth;
  }
}
