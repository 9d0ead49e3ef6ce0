/** Somebody accepts what the API breaks: the version that does it, or the digest of the API that is served. */
export const ACCEPT_API_CHANGES = 'platform.satellite.io/accept-api-changes';

export interface ApiChange {
  /** Value of the annotation. */
  readonly annotation: string | undefined;
  /** Version of the app before and after; undefined when the object names none. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Of the API that is served. */
  readonly digest: string;
}

/** Why a change that breaks users goes through; undefined when it does not. */
export function acceptedBecause({ annotation, before, after, digest }: ApiChange): string | undefined {
  if (annotation !== undefined && annotation !== '' && (annotation === after || annotation === digest)) return `they were accepted by the annotation ${ACCEPT_API_CHANGES}`;
  const [old, next] = [numbersOf(before), numbersOf(after)];
  if (!old || !next) return undefined;
  if (isLower(next, old)) return `${after} is before ${before}: the app was rolled back`;
  // Below 1.0 the second number is what the first is later.
  if (next[0] > old[0] || (old[0] === 0 && next[0] === 0 && next[1] > old[1])) return `${after} is a new major version after ${before}`;
  return undefined;
}

type Numbers = readonly [number, number, number];

function numbersOf(version: string | undefined): Numbers | undefined {
  const found = /^v?(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version ?? '');
  return found ? [Number(found[1]), Number(found[2]), Number(found[3])] : undefined;
}

function isLower(a: Numbers, b: Numbers): boolean {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && (a[at] as number) < (b[at] as number);
}
