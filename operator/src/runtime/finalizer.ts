import type { ObjectWriter } from './apply.js';
import type { CustomResource } from './objects.js';

/** The object with our finalizer on it: from now on a deletion waits for us. Undefined when the object is gone already. */
export async function ensureFinalizer<T extends CustomResource>(writer: ObjectWriter<T>, object: T, finalizer: string): Promise<T | undefined> {
  const present = object.metadata.finalizers ?? [];
  return present.includes(finalizer) ? object : writer.writeFinalizers(object, [...present, finalizer]);
}

/** Our work for a deleted object is done; others' finalizers stay. */
export async function dropFinalizer<T extends CustomResource>(writer: ObjectWriter<T>, object: T, finalizer: string): Promise<void> {
  const present = object.metadata.finalizers ?? [];
  if (present.includes(finalizer)) await writer.writeFinalizers(object, present.filter((name) => name !== finalizer));
}

export function hasFinalizer(object: CustomResource, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}
