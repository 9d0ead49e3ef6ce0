import { ApiError, AUTH_CHANNEL, errorOf, type TokenSource, type TokenUpdate } from '@satellite/web-kit';

/** What is kept between visits. */
interface Stored {
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Missing when the browser keeps it in a cookie that scripts cannot read. */
  readonly refreshToken?: string;
}

interface Issued {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly refreshToken?: string | undefined;
}

const KEY = 'platform.session';
const LEEWAY_MS = 60_000;

/**
 * The person's session in this browser: kept in local storage (interface, section 6.2), renewed before it runs out by
 * one tab for all, told to remotes over the platform's channel, ended in every tab at once.
 */
export class Session implements TokenSource {
  private readonly channel = new BroadcastChannel(AUTH_CHANNEL);
  private stored = read();
  private readonly listeners = new Set<() => void>();

  constructor() {
    // Another tab signed in, renewed the session or signed out.
    addEventListener('storage', ({ key }) => {
      if (key === KEY || key === null) this.set(read(), false);
    });
  }

  readonly isSignedIn = (): boolean => this.stored !== undefined;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** After a sign-in. */
  begin(issued: Issued): void {
    this.set(storedOf(issued), true);
  }

  /** After a sign-in at a provider: the cookie it left is a refresh token. */
  async beginByCookie(): Promise<void> {
    this.begin(await refresh(undefined));
  }

  async get(): Promise<string> {
    if (this.stored === undefined) throw new ApiError(401, 'UNAUTHORIZED', 'You are not signed in.', undefined, undefined, {});
    if (Date.now() < this.stored.expiresAt - LEEWAY_MS) return this.stored.accessToken;
    return this.renew(this.stored.accessToken);
  }

  /** The server no longer takes the token: the next request renews it first, and ends the session if it cannot. */
  forget(): void {
    if (this.stored) this.stored = { ...this.stored, expiresAt: 0 };
  }

  /** Ends the session here, in every tab and at the server. */
  async end(): Promise<void> {
    const token = this.stored?.accessToken;
    this.drop();
    if (token !== undefined) await fetch('/api/auth/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } }).catch(() => undefined);
  }

  /** Forgets the session in every tab; the server has ended it already. */
  drop(): void {
    this.set(undefined, true);
  }

  /** Repeats the token for a remote that was loaded after the last announcement. */
  announce(): void {
    this.channel.postMessage({ type: 'TOKEN_UPDATE', shellToken: this.stored?.accessToken ?? null, idpToken: null } satisfies TokenUpdate);
  }

  /** One tab renews, the others find the new token: a refresh token works once. */
  private renew(old: string): Promise<string> {
    return navigator.locks.request(`${KEY}.renew`, async () => {
      const latest = read();
      if (latest === undefined) return this.expired();
      if (latest.accessToken !== old) {
        this.set(latest, false);
        return latest.accessToken;
      }
      try {
        const issued = await refresh(latest.refreshToken);
        this.begin(issued);
        return issued.accessToken;
      } catch (error) {
        // No answer is no verdict: the session may be as good as before.
        if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) return this.expired();
        throw error;
      }
    }) as Promise<string>;
  }

  private expired(): never {
    this.drop();
    throw new ApiError(401, 'UNAUTHORIZED', 'Your session has ended. Sign in again.', undefined, undefined, {});
  }

  private set(stored: Stored | undefined, save: boolean): void {
    this.stored = stored;
    if (save) {
      if (stored) localStorage.setItem(KEY, JSON.stringify(stored));
      else localStorage.removeItem(KEY);
    }
    this.announce();
    for (const listener of this.listeners) listener();
  }
}

export const session = new Session();

async function refresh(refreshToken: string | undefined): Promise<Issued> {
  const response = await fetch('/api/auth/refresh', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(refreshToken === undefined ? {} : { refreshToken }) });
  if (!response.ok) throw await errorOf(response);
  return ((await response.json()) as { data: Issued }).data;
}

function storedOf({ accessToken, expiresIn, refreshToken }: Issued): Stored {
  return { accessToken, expiresAt: Date.now() + expiresIn * 1000, ...(refreshToken !== undefined && { refreshToken }) };
}

function read(): Stored | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Stored | null;
    return typeof stored?.accessToken === 'string' && typeof stored.expiresAt === 'number' ? stored : undefined;
  } catch {
    return undefined; // somebody else wrote there
  }
}
