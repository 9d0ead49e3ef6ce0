import { AppError, type ErrorDetails } from '../core/index.js';

/** The address must not be called from here; nothing was sent. */
export class OutboundRefused extends AppError {
  readonly kind = 'invalid';
  constructor(
    readonly code: 'outbound.address_refused' | 'outbound.scheme_refused' | 'outbound.url_invalid' | 'outbound.redirect_refused',
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message, details);
  }
}

/** Nobody answers there: no such name, connection refused or cut. */
export class OutboundFailed extends AppError {
  readonly kind = 'unprocessable';
  readonly code = 'outbound.unreachable';
}

/** The whole exchange took longer than allowed. */
export class OutboundTimeout extends AppError {
  readonly kind = 'unprocessable';
  readonly code = 'outbound.timeout';
}

/** The answer is larger than allowed, or hides its size behind a content encoding that was not asked for. */
export class OutboundTooLarge extends AppError {
  readonly kind = 'unprocessable';
  readonly code = 'outbound.too_large';
}
