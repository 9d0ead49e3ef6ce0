import { AUTH_CHANNEL, type TokenUpdate } from './contract.js';
import { errorOf } from './errors.js';

/** A token for one service. */
export interface ServiceToken {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

/** Turns the Shell's token into one for the service. */
export type Exchange = (shellToken: string) => Promise<ServiceToken>;

/** A token that ends sooner than this is replaced before it is used. */
const LEEWAY_MS = 60_000;
/** The Shell announces its token when a remote is mounted; nobody has to wait longer than this. */
const FIRST_TOKEN_MS = 10_000;

/**
 * The tokens of one remote: listens to the Shell's announcements, exchanges each Shell token once, however many
 * requests ask at a time, and again before what it got runs out.
 */
export class TokenClient {
  private readonly channel = new BroadcastChannel(AUTH_CHANNEL);
  private shellToken: string | null = null;
  private current: { readonly from: string; readonly token: Promise<ServiceToken & { readonly until: number }> } | undefined;
  private waiting: (() => void)[] = [];

  constructor(private readonly exchange: Exchange) {
    this.channel.addEventListener('message', ({ data }: MessageEvent<TokenUpdate>) => {
      if (data?.type === 'TOKEN_UPDATE') this.take(data.shellToken);
    });
  }

  /** A token that is good for at least a minute. Rejects when nobody is signed in or the exchange is refused. */
  async get(): Promise<string> {
    const shellToken = await this.shell();
    const known = this.current;
    if (known?.from === shellToken) {
      const { accessToken, until } = await known.token;
      if (Date.now() < until - LEEWAY_MS) return accessToken;
    }
    return (await this.renewed(shellToken, known)).accessToken;
  }

  /** After a 401: the next get exchanges again. */
  forget(): void {
    this.current = undefined;
  }

  private renewed(shellToken: string, known: TokenClient['current']): Promise<ServiceToken> {
    // Somebody else who waited for the same old token may have been first.
    if (this.current !== undefined && this.current !== known && this.current.from === shellToken) return this.current.token;
    const token = this.exchange(shellToken).then((got) => ({ ...got, until: Date.now() + got.expiresIn * 1000 }));
    const entry = { from: shellToken, token };
    this.current = entry;
    token.catch(() => {
      if (this.current === entry) this.current = undefined;
    });
    return token;
  }

  private take(shellToken: string | null): void {
    this.shellToken = shellToken;
    if (shellToken === null) this.current = undefined;
    else for (const go of this.waiting.splice(0)) go();
  }

  private async shell(): Promise<string> {
    if (this.shellToken === null) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('Nobody is signed in.')), FIRST_TOKEN_MS);
        this.waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return this.shellToken ?? Promise.reject(new Error('Nobody is signed in.'));
  }
}

/** The way of most satellites: the Shell itself issues a token whose audience is the service. */
export function shellExchange(service: string): Exchange {
  return async (shellToken) => {
    const response = await fetch('/api/auth/exchange', { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${shellToken}` }, body: JSON.stringify({ service }) });
    if (!response.ok) throw await errorOf(response);
    return ((await response.json()) as { data: ServiceToken }).data;
  };
}

/** The way of satellites that issue tokens of their own, bare as OAuth has it. @param url of the satellite's `auth/exchange` */
export function ownExchange(url: string): Exchange {
  return async (shellToken) => {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token: shellToken }) });
    if (!response.ok) throw await errorOf(response);
    const { access_token, expires_in } = (await response.json()) as { readonly access_token: string; readonly expires_in: number };
    return { accessToken: access_token, expiresIn: expires_in };
  };
}
