import { AppError } from '@satellite/kit/core';
import { brokenUnique } from '../../tenancy.js';

/** Also for people of other organizations. */
export class UserNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'users.not_found';
  constructor() {
    super('There is no such user.');
  }
}

export class RoleNotAssigned extends AppError {
  readonly kind = 'not_found';
  readonly code = 'users.role_not_assigned';
  constructor() {
    super('The user does not have this role.');
  }
}

export class EmailInUse extends AppError {
  readonly kind = 'conflict';
  readonly code = 'users.email_in_use';
  constructor() {
    super('An account with this e-mail address exists.', { field: 'email' });
  }
}

export class UsernameInUse extends AppError {
  readonly kind = 'conflict';
  readonly code = 'users.username_in_use';
  constructor() {
    super('An account with this user name exists. Choose another one.', { field: 'username' });
  }
}

/** Whoever may write somebody's address can reset their password, and so become them. */
export class Outranked extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'users.outranked';
  constructor() {
    super('This user may do more than you. Their e-mail address can only be changed by themselves or by somebody who holds all of it.');
  }
}

/** What a refused write of a user means to people; other errors stay what they are. */
export function takenBy(error: unknown): unknown {
  const constraint = brokenUnique(error);
  if (constraint === 'users_email_key') return new EmailInUse();
  if (constraint === 'users_username_key') return new UsernameInUse();
  return error;
}
