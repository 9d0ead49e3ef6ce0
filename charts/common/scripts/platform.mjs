// What the tests of the charts share: calls to the platform as a browser makes them, through the ingress.
import { Final, until } from './until.mjs';

export { until };

const { PLATFORM_URL, SERVICE_URL, ADMIN_PASSWORD } = process.env;
export const platformUrl = PLATFORM_URL;
export const serviceUrl = SERVICE_URL;

/** One request; anything but the expected status is an error with that status and the answer in words. */
export async function call(method, url, { token, body, headers = {}, expected = [200, 201, 204] } = {}) {
  const json = body !== undefined && !(body instanceof FormData);
  const response = await fetch(url, {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...(json && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: json ? JSON.stringify(body) : body }),
    signal: AbortSignal.timeout(30_000),
  });
  if (expected.includes(response.status)) return response;
  throw Object.assign(new Error(`${method} ${url} answered ${response.status}: ${(await response.text()).slice(0, 500)}`), { status: response.status });
}

export const json = async (...request) => (await call(...request)).json();

/** A wrong password is not tried again: a few more would lock the administrator out. */
const REFUSED_SIGN_IN = {
  401: 'The password in the Secret is not that of the administrator. Put the new one into its key admin-password (of global.secrets.existingSecret, else of <release>-platform) and run the test again.',
  429: 'The administrator is locked out for some minutes after wrong passwords. Put the right one into the key admin-password of the Secret (global.secrets.existingSecret, else <release>-platform), wait, and run the test again.',
};

/** Signs the platform's administrator in; the first calls may come before the ingress knows the way. */
export async function signIn() {
  const body = { usernameOrEmail: 'admin', password: ADMIN_PASSWORD };
  const answer = await until('nobody can sign in', () => json('POST', `${platformUrl}/api/auth/local-login`, { body }).catch((error) => {
    const advice = REFUSED_SIGN_IN[error.status];
    throw advice === undefined ? error : new Final(`${advice} ${error.message}`);
  }));
  return (answer.data ?? answer).accessToken;
}

/** The app's entry in the launchpad. */
export function launchpadEntry(slug, token) {
  return until(`${slug} is not in the launchpad`, async () => {
    const answer = await json('GET', `${platformUrl}/api/config/apps`, { token });
    return (answer.data ?? answer).find((app) => app.slug === slug);
  });
}

export const say = (text) => console.log(text);
