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

/** The state is unknown, used, too old, or of another browser. */
export class InvalidLoginState extends AppError {
  readonly kind = 'invalid';
  readonly code = 'auth.invalid_or_expired_state';
  constructor() {
    super('The sign-in is not valid, or no longer valid. Start it again.');
  }
}

/** The identity provider says no, or something that is not an answer. */
export class ProviderRefused extends AppError {
  readonly kind = 'invalid';
  readonly code = 'auth.provider_refused';
  constructor(reason: string) {
    super(`The identity provider did not sign you in (${reason.slice(0, 100)}). Start again.`);
  }
}

/** The identity provider does not answer. */
export class ProviderUnavailable extends AppError {
  readonly kind = 'failed';
  readonly code = 'auth.provider_unavailable';
  constructor(providerId: string, options?: ErrorOptions) {
    super('The identity provider does not answer. Try again.', { providerId }, options);
  }
}

/** The account or its organization is suspended. */
export class SignInRefused extends AppError {
  readonly kind = 'unauthenticated';
  readonly code = 'auth.sign_in_refused';
  constructor() {
    super('This account cannot sign in.');
  }
}

export class EmailNotVerified extends AppError {
  readonly kind = 'conflict';
  readonly code = 'auth.email_not_verified';
  constructor() {
    super('The identity provider has not verified your e-mail address. Verify it there and sign in again.');
  }
}

/** An account has the address, and nobody has shown yet to be both. */
export class LinkRequired extends AppError {
  readonly kind = 'conflict';
  readonly code = 'auth.link_required';
  constructor() {
    super('An account has this e-mail address already. Set its password anew by mail to show that it is yours, then sign in here again.');
  }
}

/** A store that is needed for this is away. */
export class ServiceUnavailable extends AppError {
  readonly kind = 'unavailable';
  readonly code = 'auth.unavailable';
}
