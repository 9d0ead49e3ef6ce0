/**
 * Errors that a caller may see. The domain throws them without knowing HTTP or Connect: two small tables
 * (`kit/http`, `kit/rpc`) translate the kind. Anything that is not an AppError is answered 500 without detail.
 */
export const ERROR_KINDS = [
  'invalid',
  'invalid_fields',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'precondition_failed',
  'too_large',
  'unprocessable',
  'quota',
  'rate_limited',
  'unavailable',
  'failed',
  'method_not_allowed',
  'unsupported_media_type',
  'range_not_satisfiable',
] as const;

export type ErrorKind = (typeof ERROR_KINDS)[number];

/** Extra machine-readable facts of an error; JSON values only, never a secret. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

export abstract class AppError extends Error {
  /** What class of trouble this is; decides the status code. */
  abstract readonly kind: ErrorKind;
  /** Stable machine code `module.snake_case`, sent as `details.reason`. */
  abstract readonly code: string;
  readonly details: ErrorDetails;

  /** @param message a sentence for a person that says what to change */
  constructor(message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
    this.name = new.target.name;
  }
}

/** One field that breaks a rule: JSON path and what to write instead. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** The request's fields break rules; every broken one is listed. */
export class InvalidFields extends AppError {
  readonly kind = 'invalid_fields';
  readonly code = 'request.invalid_fields';
  constructor(readonly fields: readonly FieldProblem[]) {
    super(`Invalid ${fields.length === 1 ? 'field' : 'fields'}: ${fields.map((f) => `${f.field}: ${f.message}`).join('; ')}`, { fields });
  }
}

/** True when this or any cause of it is an error a caller may see. */
export function isAppError(error: unknown): error is AppError {
  return error instanceof AppError;
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
