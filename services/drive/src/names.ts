import { InvalidFields } from '@satellite/kit/core';

const MAX_BYTES = 255;
// what no screen shows and what no path may contain; direction marks would turn "exe.txt" around
// eslint-disable-next-line no-control-regex -- refusing control characters is the point
const REFUSED = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff/\\]|\p{Cs}/u;

/** A name of a file or folder: one line, no path, never more than a label. Throws InvalidFields. */
export function parseName(given: string, field = 'name'): string {
  const name = given.normalize('NFC').trim();
  const problem = problemOf(name);
  if (problem !== undefined) throw new InvalidFields([{ field, message: problem }]);
  return name;
}

function problemOf(name: string): string | undefined {
  if (name === '') return 'must not be blank';
  if (name === '.' || name === '..') return 'must not be . or ..';
  if (Buffer.byteLength(name) > MAX_BYTES) return `must be at most ${MAX_BYTES} bytes`;
  return REFUSED.test(name) ? 'must not contain /, \\ or invisible characters' : undefined;
}
