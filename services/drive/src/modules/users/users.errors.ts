import { AppError } from '@satellite/kit/core';

export class UserNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'users.not_found';
  constructor() {
    super('There is no such user.');
  }
}

export class RoleNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'users.role_not_found';
  constructor(known: readonly string[]) {
    super(`There is no such role. There are: ${known.join(', ')}.`);
  }
}

export class EmailInUse extends AppError {
  readonly kind = 'conflict';
  readonly code = 'users.email_in_use';
  constructor() {
    super('Somebody with this address is here already.');
  }
}

/** Somebody has to be able to let others in. */
export class LastAdministrator extends AppError {
  readonly kind = 'conflict';
  readonly code = 'users.last_administrator';
  constructor() {
    super('This is the last administrator. Make somebody else one first.');
  }
}

/** The person may sign in to the platform, but not use this Drive. */
export class UserSuspended extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'users.suspended';
  constructor() {
    super('Your access to Drive is suspended. An administrator of your organization can change that.');
  }
}

/** Section 4.13 of the interface: an exchange comes before everything else. */
export class ExchangeRequired extends AppError {
  readonly kind = 'unauthenticated';
  readonly code = 'auth.exchange_required';
  constructor() {
    super('Exchange your token at POST /api/auth/exchange first.');
  }
}
