/** Fields of a Kubernetes Status object that we read. */
interface StatusObject {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly retryAfterSeconds?: number };
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

  isConflict(): boolean {
    return this.status === 409;
  }

  isNotFound(): boolean {
    return this.status === 404;
  }
}
