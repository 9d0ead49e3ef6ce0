const BROWSERS: readonly (readonly [RegExp, string])[] = [[/Edg\//, 'Edge'], [/OPR\//, 'Opera'], [/Firefox\//, 'Firefox'], [/Chrom(e|ium)\//, 'Chrome'], [/Safari\//, 'Safari'], [/curl\//, 'curl']];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [[/Android/, 'Android'], [/iPhone|iPad/, 'iOS'], [/Mac OS X/, 'macOS'], [/Windows/, 'Windows'], [/Linux/, 'Linux']];

/** `Chrome, Linux`: as much of a user agent as tells people their devices apart. */
export function browserOf(userAgent: string): string {
  const name = (list: typeof BROWSERS): string | undefined => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [name(BROWSERS), name(SYSTEMS)].filter((part) => part !== undefined).join(', ') || userAgent || '–';
}
