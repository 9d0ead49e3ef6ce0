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

/** The refresh token is unknown, used, too old, or what it stood for has ended. Causes are not told apart. */
export class InvalidGrant extends AppError {
  readonly kind = 'invalid';
  readonly code = 'auth.invalid_grant';
  constructor() {
    super('The refresh token is not valid, or no longer valid. Sign in again.');
  }
}

export class SessionNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'auth.session_not_found';
  constructor() {
    super('You have no such session.');
  }
}

/** The link was used, is too old, was replaced by a newer one, or never existed. */
export class InvalidPasswordLink extends AppError {
  readonly kind = 'invalid';
  readonly code = 'auth.invalid_password_link';
  constructor() {
    super('The link is not valid, or no longer valid. Request a new one.');
  }
}

/** Too many wrong passwords for this name, whether anybody has it or not. */
export class SignInLocked extends AppError {
  readonly kind = 'rate_limited';
  readonly code = 'auth.sign_in_locked';
  constructor(readonly retryAfter: number) {
    super(`Too many failed sign-ins. Try again in ${retryAfter} seconds.`, { retryAfter });
  }
}

/** There is no such active app to exchange a token for. */
export class InvalidTarget extends AppError {
  readonly kind = 'invalid';
  readonly code = 'auth.invalid_target';
  constructor(service: string) {
    super('There is no such active app.', { service });
  }
}

/** The app exists, but not for this organization. */
export class AppNotEnabled extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'auth.app_not_enabled';
  constructor(service: string) {
    super('This app is not enabled for your organization.', { service });
  }
}
