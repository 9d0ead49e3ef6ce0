import { AppError } from '../core/index.js';

/** No token, or one that is not valid here. Causes are not told apart. */
export class TokenRefused extends AppError {
  readonly kind = 'unauthenticated';
  readonly code = 'auth.invalid_token';
  constructor(options?: ErrorOptions) {
    super('Send Authorization: Bearer <token> with a token of the platform for this service.', {}, options);
  }
}

/** The person lacks the permission, or the token was made without it. */
export class PermissionMissing extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'auth.permission_denied';
  constructor(permission: string) {
    super(`This needs the permission ${permission}.`, { permission });
  }
}

/** The Shell cannot be asked, so nobody is let in: neither keys, nor revocations, nor permissions may be guessed. */
export class ShellUnavailable extends AppError {
  readonly kind = 'unavailable';
  readonly code = 'auth.shell_unavailable';
  constructor(options?: ErrorOptions) {
    super('Who you are cannot be checked at the moment. Try again.', {}, options);
  }
}

/** The person's organization does not have the app. */
export class AppNotEnabled extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'auth.app_not_enabled';
  constructor() {
    super('This app is not enabled for your organization. An administrator of the platform can change that.');
  }
}

/** A mistake of the installation: nobody can come in before the app is in the Shell's registry. */
export class AppNotRegistered extends AppError {
  readonly kind = 'unavailable';
  readonly code = 'auth.app_not_registered';
  constructor(slug: string) {
    super(`The Shell knows no active app "${slug}". Register it, for example with kubectl apply of its SatelliteApp.`, { app: slug });
  }
}
