import { createHash } from 'node:crypto';

/** What is shared out: the app itself, or its newer front-end. Not the same organizations come first in both. */
export type Shared = 'app' | 'front-end';

const PLACES = 2 ** 32;

/**
 * Whether the organization is in the first `percent` of all. Each organization has a place that only it, the app and
 * what is shared out decide: a larger share contains every smaller one, and different apps begin with different
 * organizations.
 */
export function isInShare(shared: Shared, slug: string, organizationId: string, percent: number): boolean {
  if (percent >= 100) return true;
  const place = createHash('sha256').update(`${shared}\n${slug}\n${organizationId}`).digest().readUInt32BE(0);
  return place < (percent / 100) * PLACES;
}
