import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { isAppError, type ErrorKind } from '../core/index.js';
import type { Logger } from '../telemetry/index.js';

/** Kind → Connect code; the HTTP table is in kit/http. */
const CODES: Record<ErrorKind, Code> = {
  invalid: Code.InvalidArgument,
  invalid_fields: Code.InvalidArgument,
  unauthenticated: Code.Unauthenticated,
  forbidden: Code.PermissionDenied,
  not_found: Code.NotFound,
  conflict: Code.AlreadyExists,
  precondition_failed: Code.FailedPrecondition,
  too_large: Code.InvalidArgument,
  unprocessable: Code.FailedPrecondition,
  quota: Code.ResourceExhausted,
  rate_limited: Code.ResourceExhausted,
  unavailable: Code.Unavailable,
  failed: Code.Unavailable,
  method_not_allowed: Code.Unimplemented,
  unsupported_media_type: Code.InvalidArgument,
};

/** The Connect error of anything thrown; unknown errors tell nothing but that they happened. */
export function connectErrorOf(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  if (!isAppError(error)) return new ConnectError('internal error', Code.Internal);
  return new ConnectError(error.message, CODES[error.kind], { 'x-error-code': error.code });
}

/** Turns what services throw into Connect codes and logs what nobody expected. */
export function errorInterceptor(logger: Logger): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      if (!isAppError(error) && !(error instanceof ConnectError)) {
        logger.error({ err: error, method: request.method.name, requestId: request.header.get('x-request-id') ?? undefined }, 'unexpected error in an RPC');
      }
      throw connectErrorOf(error);
    }
  };
}
