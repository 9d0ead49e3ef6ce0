import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { codeToHttpStatus, codeToString } from '@connectrpc/connect/protocol-connect';
import { isAppError, type AppError, type ErrorKind } from '../core/index.js';
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
  range_not_satisfiable: Code.OutOfRange,
};

/** The Connect error of anything thrown; unknown errors tell nothing but that they happened. */
export function connectErrorOf(error: unknown): ConnectError {
  if (error instanceof ConnectError) return error;
  if (!isAppError(error)) return new ConnectError('internal error', Code.Internal);
  return new ConnectError(error.message, CODES[error.kind], { 'x-error-code': error.code });
}

/** An error as the Connect protocol sends it over HTTP, for handlers beside Connect that must not be told apart from it. */
export interface ConnectErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `{"code","message"}`. */
  readonly body: string;
}

/** What Connect would send for anything thrown by a unary method. */
export function connectErrorBody(thrown: unknown): ConnectErrorAnswer {
  const error = connectErrorOf(thrown);
  const body = { code: codeToString(error.code), ...(error.rawMessage !== '' && { message: error.rawMessage }) };
  return { status: codeToHttpStatus(error.code), headers: Object.fromEntries(error.metadata), body: JSON.stringify(body) };
}

/** Logs what nobody expected of a method; errors that callers may see are no news. */
export function reportUnexpected(logger: Logger, error: unknown, method: string, requestId: unknown): void {
  if (!isAppError(error) && !(error instanceof ConnectError)) logger.error({ err: error, method, requestId: requestId ?? undefined }, 'unexpected error in an RPC');
}

/** Hears of every refusal that a caller gets; the method as `<package>.<Service>/<Method>`. It must not throw or take long. */
export type OnRefusal = (method: string, error: AppError) => void;

/** Turns what services throw into Connect codes and logs what nobody expected. */
export function errorInterceptor(logger: Logger, onRefusal?: OnRefusal): Interceptor {
  return (next) => async (request) => {
    try {
      return await next(request);
    } catch (error) {
      if (isAppError(error)) onRefusal?.(`${request.service.typeName}/${request.method.name}`, error);
      reportUnexpected(logger, error, request.method.name, request.header.get('x-request-id'));
      throw connectErrorOf(error);
    }
  };
}
