import { AppError } from '@satellite/kit/core';

/** Unknown, expired, revoked, of a deleted file or of somebody who may not share any more: a stranger learns nothing of why. */
export class LinkNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'shares.not_found';
  constructor() {
    super('This link does not lead anywhere (any more). Ask whoever gave it to you for a new one.');
  }
}

export class TooManyLinks extends AppError {
  readonly kind = 'conflict';
  readonly code = 'shares.too_many';
  constructor(max: number) {
    super(`A file can have ${max} links at a time. Revoke one first.`, { max });
  }
}
