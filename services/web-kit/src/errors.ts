/** An answer that is an error: what to tell the person, what to tell the administrator. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    /** Stable, such as `CONFLICT`; `NETWORK` when there was no answer. */
    readonly code: string,
    message: string,
    readonly requestId: string | undefined,
    /** Finer than the code, such as `users.email_in_use`. */
    readonly reason: string | undefined,
    /** By name of the field. */
    readonly fields: Readonly<Record<string, string>>,
  ) {
    super(message);
  }
}

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string; readonly requestId?: string; readonly details?: { readonly reason?: string; readonly fields?: readonly { readonly field: string; readonly message: string }[] } };
}

/** The error of an answer, whatever it looks like. */
export async function errorOf(response: Response): Promise<ApiError> {
  const { error } = ((await response.json().catch(() => ({}))) ?? {}) as ErrorBody;
  const fields = Object.fromEntries((error?.details?.fields ?? []).map(({ field, message }) => [field.replace(/^(body|query)\./, ''), message]));
  return new ApiError(response.status, error?.code ?? 'UNKNOWN', error?.message ?? `The server answered ${response.status}.`, error?.requestId ?? response.headers.get('x-request-id') ?? undefined, error?.details?.reason, fields);
}

/** Words for any error that may reach a screen. */
export function describeError(error: unknown): { readonly message: string; readonly requestId?: string | undefined } {
  if (error instanceof ApiError) return { message: error.message, requestId: error.requestId };
  if (error instanceof TypeError && /fetch|network|load failed/i.test(error.message)) return { message: 'The server cannot be reached. Check the connection and try again.' };
  return { message: error instanceof Error ? error.message : String(error) };
}
