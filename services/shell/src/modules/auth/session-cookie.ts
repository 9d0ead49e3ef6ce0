import type express from 'express';

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

/** One cookie of a request (RFC 6265); undefined when it is absent or given twice. */
export function cookieOf(request: express.Request, name: string): string | undefined {
  const values = (request.headers.cookie ?? '').split(';').map((part) => part.trim()).filter((part) => part.startsWith(`${name}=`));
  const [value] = values;
  return values.length === 1 && value !== undefined ? decodeURIComponent(value.slice(name.length + 1)) : undefined;
}
