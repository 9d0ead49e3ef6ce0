import { AppNotEnabled, AppNotRegistered, ShellUnavailable, TokenRefused } from './errors.js';

/** A token of a person for one app. */
export interface ExchangedToken {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

export interface ShellExchangeOptions {
  /** Root of the Shell, without `/api`. */
  readonly shellUrl: string;
  /** For one call (default 5 s). */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

/** The person's token for an app, made by the Shell of the one they signed in with. Throws TokenRefused, AppNotEnabled, AppNotRegistered or ShellUnavailable. */
export async function exchangeAtShell({ shellUrl, timeoutMs = 5000, fetch: fetchNow = fetch }: ShellExchangeOptions, token: string, service: string): Promise<ExchangedToken> {
  const response = await fetchNow(`${shellUrl}/api/auth/exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ service }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause: unknown) => {
    throw new ShellUnavailable({ cause });
  });
  if (response.status === 401) throw new TokenRefused();
  if (response.status === 403) throw new AppNotEnabled();
  if (response.status === 400) throw new AppNotRegistered(service);
  const body = (await response.json().catch(() => undefined)) as ({ data?: Partial<ExchangedToken> } & Partial<ExchangedToken>) | undefined;
  const { accessToken, expiresIn } = body?.data ?? body ?? {}; // every envelope variant of the Shell
  if (!response.ok || typeof accessToken !== 'string' || typeof expiresIn !== 'number') throw new ShellUnavailable({ cause: new Error(`the Shell answers ${response.status} to an exchange`) });
  return { accessToken, expiresIn };
}
