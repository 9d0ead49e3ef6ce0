// Answers its health and, to whoever brings a token of the platform, who that is. It checks the token by the key set
// that the Shell publishes, as any third party would.
import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';

const { PLATFORM_URL } = process.env;
const DOCUMENT = { openapi: '3.0.0', info: { title: 'Notes', version: '1.0.0' }, paths: { '/whoami': { get: { responses: { 200: { description: 'who that is' }, 401: { description: 'no token of the platform' } } } } } };

async function claimsOf(token = '') {
  const [head, body, signature] = token.split('.');
  const { kid } = JSON.parse(Buffer.from(head, 'base64url'));
  const { keys } = await (await fetch(`${PLATFORM_URL}/api/.well-known/jwks.json`)).json();
  const key = createPublicKey({ key: keys.find((one) => one.kid === kid), format: 'jwk' });
  if (!verify('RSA-SHA256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))) throw new Error('the signature is wrong');
  return JSON.parse(Buffer.from(body, 'base64url'));
}

const server = createServer(async (request, response) => {
  const answer = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const path = new URL(request.url, 'http://notes').pathname;
  if (path.endsWith('/health') || path === '/livez') return answer(200, { status: 'healthy' });
  if (path === '/notes/api/doc/openapi.json') return answer(200, DOCUMENT);
  if (path !== '/notes/api/whoami') return answer(404, { error: 'there is /notes/api/whoami' });
  try {
    const { sub } = await claimsOf(request.headers.authorization?.replace('Bearer ', ''));
    answer(200, { sub });
  } catch (error) {
    answer(401, { error: error.message });
  }
});
server.listen(8080, '0.0.0.0');
process.once('SIGTERM', () => server.close());
