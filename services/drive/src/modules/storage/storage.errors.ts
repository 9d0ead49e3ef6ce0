import { AppError } from '@satellite/kit/core';

/** The upload took longer than uploads may. */
export class UploadExpired extends AppError {
  readonly kind = 'conflict';
  readonly code = 'files.upload_expired';
  constructor() {
    super('The upload took too long and was given up. Send the file again.');
  }
}

/** The organization's plan allows no more bytes. */
export class StorageFull extends AppError {
  readonly kind = 'quota';
  readonly code = 'storage.full';
  constructor(limit: number, used: number) {
    super(`Your organization may store ${limit} bytes and has ${used}. Delete something, or choose a larger plan.`, { limit, used, remaining: Math.max(0, limit - used) });
  }
}
