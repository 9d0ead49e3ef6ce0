// What every step needs: programs of the cluster, waiting, and the platform as a client sees it through the ingress.
import { spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { env } from 'node:process';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

export const NAMESPACE = env.E2E_NAMESPACE ?? 'satellite-e2e';
export const RELEASE = 'platform';
export const HOST = env.E2E_HOST ?? 'platform.test';
/** Node.js image that everything is built on; has to be there or to be had. */
export const NODE_IMAGE = env.NODE_IMAGE ?? 'docker.io/library/node:24.21.0-bookworm-slim';
const INGRESS = new URL(env.INGRESS_URL ?? `http://${HOST}`);

/** Runs a program; answers what it printed, or fails with it. */
export function run(command, args, { input, quiet = true, cwd } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
    let [printed, complained] = ['', ''];
    child.stdout.on('data', (chunk) => ((printed += chunk), quiet || process.stdout.write(chunk)));
    child.stderr.on('data', (chunk) => (complained += chunk));
    child.once('error', (error) => reject(new Error(`${command} cannot be run: ${error.message}`)));
    child.once('close', (code) => (code === 0 ? resolve(printed.trim()) : reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${`${printed}${complained}`.slice(-6000)}`))));
    child.stdin.end(input ?? '');
  });
}

export const kubectl = (...args) => run('kubectl', ['-n', NAMESPACE, ...args]);
export const helm = (...args) => run('helm', [...args, '-n', NAMESPACE]);
export const apply = (manifest) => run('kubectl', ['-n', NAMESPACE, 'apply', '-f', '-'], { input: manifest });
export const items = async (...args) => JSON.parse(await kubectl('get', ...args, '-o', 'json')).items;

/** Asks until it is so; fails with the last thing heard. */
export async function until(what, ask, limitMs = 180_000) {
  const deadline = Date.now() + limitMs;
  for (let heard = 'not yet'; ; await pause(500)) {
    try {
      const found = await ask();
      if (found) return found;
    } catch (error) {
      heard = error.message;
    }
    if (Date.now() > deadline) throw new Error(`${what}: ${heard} after ${limitMs / 1000} s`);
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** One request through the ingress; answers status, headers and body, whatever the status is. */
export function send(method, path, { token, body, headers = {} } = {}) {
  const json = body !== undefined && !Buffer.isBuffer(body);
  return new Promise((resolve, reject) => {
    const call = request({ hostname: INGRESS.hostname, port: INGRESS.port || 80, method, path, agent, timeout: 60_000, headers: { host: HOST, ...(token && { authorization: `Bearer ${token}` }), ...(json && { 'content-type': 'application/json' }), ...headers } });
    call.once('response', (response) => buffer(response).then((bytes) => resolve({ status: response.statusCode, headers: response.headers, bytes }), reject));
    call.once('timeout', () => call.destroy(new Error('no answer within 60 s'))).once('error', reject);
    call.end(json ? JSON.stringify(body) : body);
  });
}

/** A request that has to answer 2xx; answers the data of its JSON. */
export async function ask(method, path, options) {
  const { status, bytes } = await send(method, path, options);
  if (status >= 300) throw new Error(`${method} ${path} answers ${status}: ${bytes.toString().slice(0, 400)}`);
  if (bytes.length === 0) return undefined;
  const answer = JSON.parse(bytes);
  return answer.data ?? answer;
}

/** The platform's administrator, as NOTES.txt says. */
export async function signIn() {
  const password = Buffer.from(await kubectl('get', 'secret', `${RELEASE}-platform`, '-o', 'jsonpath={.data.admin-password}'), 'base64').toString();
  const { accessToken } = await until('nobody can sign in', () => ask('POST', '/api/auth/local-login', { body: { usernameOrEmail: 'admin', password } }));
  return accessToken;
}

/** A token of Drive for the administrator. */
export async function driveToken() {
  const shell = await signIn();
  return (await until('Drive gives no token', () => ask('POST', '/drive/api/auth/exchange', { body: { token: shell } }))).access_token;
}

const BOUNDARY = 'e2e-boundary';

/** Uploads these bytes to Drive; answers the file. */
export function upload(token, name, bytes) {
  const body = Buffer.concat([Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  return ask('POST', '/drive/api/files/upload', { token, body, headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': body.length } });
}
