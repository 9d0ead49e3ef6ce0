/** Fields of a Kubernetes Status object that we read. */
interface StatusObject {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly retryAfterSeconds?: number };
}

/** Nobody answered, or the answer broke off: whether the request was carried out is not known. */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable';
}

/** Nothing about the request was wrong: the same one may succeed as soon as the API server is well. */
export function isOutage(error: unknown): boolean {
  return error instanceof ApiUnreachable || (error instanceof ApiStatusError && (error.status === 429 || error.status >= 500));
}

/** The API server refused a request, in its answer or inside a watch. */
export class ApiStatusError extends Error {
  override readonly name = 'ApiStatusError';

  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }

  /** @param retryAfterSeconds value of the Retry-After header, if any */
  static fromStatus(body: unknown, fallbackCode = 500, retryAfterSeconds?: number): ApiStatusError {
    const { code, reason, message, details } = (body ?? {}) as StatusObject;
    const seconds = retryAfterSeconds ?? details?.retryAfterSeconds;
    return new ApiStatusError(code ?? fallbackCode, reason ?? 'Unknown', message ?? `the API server answered ${code ?? fallbackCode}`, seconds === undefined ? undefined : seconds * 1000);
  }

  /** The version asked for is no longer known: only a new list helps. */
  isExpired(): boolean {
    return this.status === 410 || this.reason === 'Expired' || this.reason === 'Gone';
  }

  /** We lack the right, or ask for something that does not exist: somebody has to look at it. */
  isRefusal(): boolean {
    return [400, 401, 403, 404].includes(this.status);
  }

  isConflict(): boolean {
    return this.status === 409;
  }

  isNotFound(): boolean {
    return this.status === 404;
  }
}
