import { InvalidQuestion } from './gateway.errors.js';

/** Resource and action as permission codes have them; a code is `<resource>:<action>`. */
const LOWER = { obj: /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9_-]*)*$/, act: /^[a-z][a-z0-9_-]*$/ };
/** The RESOURCE_ACTION notation of the same. */
const UPPER = { obj: /^[A-Z][A-Z0-9-]*(\.[A-Z][A-Z0-9_-]*)*$/, act: /^[A-Z][A-Z0-9_-]*$/ };
const MAX_LENGTH = 128;
const KEPT = 5000;

const known = new Map<string, string>();

/**
 * The permission code that a question names; both parts lower case, or both upper case. Throws InvalidQuestion for
 * everything else: no wildcard exists, and a mixture of cases is a typing error that must not be guessed at.
 */
export function permissionOf(act: string, obj: string): string {
  const key = `${obj} ${act}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const code = parsed(act, obj);
  if (known.size >= KEPT) known.clear();
  known.set(key, code);
  return code;
}

function parsed(act: string, obj: string): string {
  if (act.length + obj.length >= MAX_LENGTH) throw new InvalidQuestion(`act and obj must be at most ${MAX_LENGTH - 1} characters together.`);
  if (LOWER.obj.test(obj) && LOWER.act.test(act)) return `${obj}:${act}`;
  if (UPPER.obj.test(obj) && UPPER.act.test(act)) return `${obj}:${act}`.toLowerCase();
  throw new InvalidQuestion('act and obj must name one permission, such as act "list" and obj "users" (or LIST and USERS). Wildcards, empty parts and mixed case are not known.');
}

/** True for codes below an app's slug: `drive.files:read` and `drive:open` of `drive`. */
export function isBelow(slug: string, permission: string): boolean {
  return permission.startsWith(slug) && (permission[slug.length] === '.' || permission[slug.length] === ':');
}
