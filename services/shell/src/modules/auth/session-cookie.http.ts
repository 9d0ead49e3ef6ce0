import type express from 'express';
import { LOGIN_STATE_SECONDS } from './oidc/login-state.js';

/** Carries the refresh token of a browser that signed in through a provider; scripts cannot read it. */
const NAME = 'shell_refresh';
const PATH = '/api/auth';

/** `Secure` wherever the platform is reached over https. */
export function setSessionCookie(response: express.Response, refreshToken: string, publicUrl: string): void {
  response.cookie(NAME, refreshToken, { ...options(publicUrl), maxAge: 30 * 24 * 3600 * 1000 });
}

export function clearSessionCookie(response: express.Response, publicUrl: string): void {
  response.clearCookie(NAME, options(publicUrl));
}

function options(publicUrl: string): express.CookieOptions {
  return { httpOnly: true, sameSite: 'strict', secure: publicUrl.startsWith('https:'), path: PATH };
}

export function sessionCookieOf(request: express.Request): string | undefined {
  return cookieOf(request, NAME);
}

/** One cookie of a request (RFC 6265); undefined when it is absent, malformed or given twice. */
export function cookieOf(request: express.Request, name: string): string | undefined {
  const values = (request.headers.cookie ?? '').split(';').map((part) => part.trim()).filter((part) => part.startsWith(`${name}=`));
  const [value] = values;
  return values.length === 1 && value !== undefined ? decoded(value.slice(name.length + 1)) : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const LOGIN_NAME = 'shell_login';

/** A login under way: binds its state to the browser that began it. */
export interface LoginCookie {
  readonly state: string;
  readonly returnPath: string;
}

/** `lax`, because the provider's redirect is a navigation from another site. */
export function setLoginCookie(response: express.Response, { state, returnPath }: LoginCookie, publicUrl: string): void {
  response.cookie(LOGIN_NAME, `${state}${returnPath}`, { ...options(publicUrl), sameSite: 'lax', maxAge: LOGIN_STATE_SECONDS * 1000 });
}

export function clearLoginCookie(response: express.Response, publicUrl: string): void {
  response.clearCookie(LOGIN_NAME, { ...options(publicUrl), sameSite: 'lax' });
}

export function loginCookieOf(request: express.Request): LoginCookie | undefined {
  const value = cookieOf(request, LOGIN_NAME);
  const slash = value?.indexOf('/') ?? -1;
  return value === undefined || slash < 0 ? undefined : { state: value.slice(0, slash), returnPath: value.slice(slash) };
}
