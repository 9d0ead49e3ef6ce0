import { isDeepStrictEqual } from 'node:util';
import type { CustomResource, StatusBase } from './objects.js';

/** Writes of one object; each resolves with the object as stored. */
export interface ObjectWriter<T extends CustomResource> {
  /** Makes the part of status that we own equal to `status`. */
  writeStatus(object: T, status: NonNullable<T['status']>): Promise<T>;
  /** Replaces the list of finalizers; undefined when the object is gone. */
  writeFinalizers(object: T, finalizers: readonly string[]): Promise<T | undefined>;
}

/** Content type of a server-side apply. */
export const APPLY_PATCH = 'application/apply-patch+yaml';

/** Body of a server-side apply of the status: what is in it is ours from then on, what we leave out goes. */
export function statusApplyBody<T extends CustomResource>({ apiVersion, kind, metadata }: T, status: StatusBase): object {
  const { name, namespace, uid, resourceVersion } = metadata;
  // With the uid the API server refuses to write an object that was deleted and created again meanwhile, and with the
  // version one that was written meanwhile: a write that was held up on its way cannot undo a later one.
  return { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, status };
}

/** The object with this status; nothing is written when it has that already. */
export async function applyStatus<T extends CustomResource>(writer: ObjectWriter<T>, object: T, status: NonNullable<T['status']>): Promise<T> {
  if (isDeepStrictEqual(withoutUndefined(object.status), withoutUndefined(status))) return object;
  return writer.writeStatus(object, status);
}

/** JSON knows no undefined, so neither does the comparison. Conditions are a map by type: their order means nothing. */
function withoutUndefined(status: StatusBase | undefined): unknown {
  const sorted = status && { ...status, conditions: [...(status.conditions ?? [])].sort((a, b) => (a.type < b.type ? -1 : 1)) };
  return JSON.parse(JSON.stringify(sorted ?? {}));
}
