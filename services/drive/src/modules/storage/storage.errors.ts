import { AppError } from '@satellite/kit/core';

/** The upload took longer than uploads may. */
export class UploadExpired extends AppError {
  readonly kind = 'conflict';
  readonly code = 'files.upload_expired';
  constructor() {
    super('The upload took too long and was given up. Send the file again.');
  }
}
