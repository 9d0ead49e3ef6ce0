import { AppError } from '@satellite/kit/core';

/** No token where one is needed. */
export class SignInRequired extends AppError {
  readonly kind = 'unauthenticated';
  readonly code = 'auth.sign_in_required';
  constructor() {
    super('Sign in first: send Authorization: Bearer <token>.');
  }
}

/** The token is not one of ours, is for somebody else, or its time is over. Causes are not told apart. */
export class InvalidToken extends AppError {
  readonly kind = 'unauthenticated';
  readonly code = 'auth.invalid_token';
  constructor() {
    super('The token is not valid here, or no longer valid. Sign in again.');
  }
}

/** Unknown user, wrong password, suspended: one answer for all of them. */
export class InvalidCredentials extends AppError {
  readonly kind = 'unauthenticated';
  readonly code = 'auth.invalid_credentials';
  constructor() {
    super('The user name or the password is wrong.');
  }
}

export class InvalidClient extends AppError {
  readonly kind = 'unauthenticated';
  readonly code = 'auth.invalid_client';
  constructor() {
    super('The client id or the client secret is wrong.');
  }
}

export class PermissionDenied extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'auth.permission_denied';
  constructor(permission: string) {
    super(`This needs the permission ${permission}.`, { permission });
  }
}

/** More password checks wait than can be answered in time. */
export class TooManySignIns extends AppError {
  readonly kind = 'unavailable';
  readonly code = 'auth.busy';
  constructor() {
    super('Too many sign-ins are waiting. Try again in a few seconds.');
  }
}
