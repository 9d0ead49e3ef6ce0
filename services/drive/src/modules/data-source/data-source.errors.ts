import { AppError } from '@satellite/kit/core';

export class ResourceNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'data_source.no_such_resource';
  constructor(name: string, known: readonly string[]) {
    super(`There is no resource "${name.slice(0, 64)}". There are: ${known.join(', ')}.`);
  }
}

export class InvalidFetch extends AppError {
  readonly kind = 'invalid';
  readonly code = 'data_source.invalid_request';
}

/** Why is not told apart: the caller is a service, and people are not its business. */
export class NotReadable extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'data_source.not_readable';
  constructor() {
    super('The person may not read this in Drive.');
  }
}
