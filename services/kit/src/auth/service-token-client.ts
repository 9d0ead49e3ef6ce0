import { messageOf } from '../core/index.js';

export interface ServiceTokenClientOptions {
  /** `<shell>/api/auth/service-token`. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fetch?: typeof fetch;
}

export interface ServiceTokenClient {
  /** A token (aud = shell-rbac) that is good for at least another minute. */
  token(): Promise<string>;
  /** Drops the kept token, after the Shell refused it. */
  forget(): void;
}

/** The Shell answered, and gives this client no token. */
export class ServiceTokenRefused extends Error {
  override readonly name = 'ServiceTokenRefused';
}

interface Kept {
  readonly token: string;
  /** Milliseconds since the epoch until which it is handed out. */
  readonly until: number;
}

const EARLY_MS = 60_000;

/** Client credentials at the Shell; one request at a time, the token is kept until a minute before it ends. */
export function createServiceTokenClient(options: ServiceTokenClientOptions): ServiceTokenClient {
  let kept: Kept | undefined;
  let asking: Promise<Kept> | undefined;
  return {
    async token() {
      if (kept && kept.until > Date.now()) return kept.token;
      asking ??= ask(options).finally(() => (asking = undefined));
      kept = await asking;
      return kept.token;
    },
    forget() {
      kept = undefined;
    },
  };
}

async function ask({ tokenUrl, clientId, clientSecret, fetch: fetchNow = fetch }: ServiceTokenClientOptions): Promise<Kept> {
  const response = await fetchNow(tokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret }),
    signal: AbortSignal.timeout(10_000),
  }).catch((error: unknown) => {
    throw new Error(`The Shell gives no service token: ${messageOf(error)}`, { cause: error });
  });
  if (response.status >= 400 && response.status < 500 && response.status !== 429) throw new ServiceTokenRefused(`The Shell refuses a service token for client ${clientId}: status ${response.status}`);
  if (!response.ok) throw new Error(`The Shell gives no service token: status ${response.status}`);
  const body = (await response.json()) as { data?: TokenAnswer } & Partial<TokenAnswer>;
  const answer = body.data ?? body; // every envelope variant of the Shell
  if (typeof answer.accessToken !== 'string' || typeof answer.expiresIn !== 'number') throw new Error('The Shell answers a service token request with an unknown shape');
  return { token: answer.accessToken, until: Date.now() + answer.expiresIn * 1000 - EARLY_MS };
}

interface TokenAnswer {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}
