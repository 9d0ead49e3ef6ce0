import { randomUUID } from 'node:crypto';
import type { Redis } from '@satellite/kit/cache';
import { ServiceUnavailable } from '../auth.errors.js';

/** Section 2.10 of the interface. */
export interface LoginState {
  readonly codeVerifier: string;
  readonly providerId: string;
}

export const LOGIN_STATE_SECONDS = 600;
const keyOf = (state: string): string => `oauth:state:${state}`;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Logins under way, in the key-value store; one that is lost is begun anew. */
export class LoginStates {
  constructor(private readonly redis: Redis) {}

  /** Answers the new state's id. */
  async put(value: LoginState): Promise<string> {
    const state = randomUUID();
    await this.redis.set(keyOf(state), JSON.stringify(value), 'EX', LOGIN_STATE_SECONDS).catch((error: unknown) => {
      throw new ServiceUnavailable('Sign-in through a provider is not possible at the moment. Try again.', {}, { cause: error });
    });
    return state;
  }

  /** Takes the state out, so that it works once; undefined when it is unknown or has run out. */
  async take(state: string): Promise<LoginState | undefined> {
    if (!UUID.test(state)) return undefined;
    const text = await this.redis.getdel(keyOf(state)).catch(() => null);
    return text === null ? undefined : (JSON.parse(text) as LoginState);
  }
}
