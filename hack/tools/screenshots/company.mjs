// Fills a fresh platform with a company that has people, a paid plan, files and some history, all through its API.
import { randomBytes } from 'node:crypto';
import { makeFiles } from './made-files.mjs';

const PEOPLE = [['Jonas', 'Bergman'], ['Priya', 'Raman'], ['Tomas', 'Novak'], ['Aiko', 'Sato'], ['Lena', 'Hoffmann'], ['Samuel', 'Okafor'], ['Inês', 'Carvalho']];
const STORAGE = { limitKey: 'drive.storage_bytes', limitValue: 20_000_000, period: 'total' };
const CALLS = 61_240;

/** @returns a function that calls the API: `call('POST', '/users', body)` answers what is in `data` */
const caller = (base, token) => async (method, path, body) => {
  const form = body instanceof FormData;
  const response = await fetch(base + path, { method, body: body === undefined || form ? body : JSON.stringify(body), headers: { ...(body !== undefined && !form && { 'content-type': 'application/json' }), ...(token !== undefined && { authorization: `Bearer ${token}` }) } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text).data ?? JSON.parse(text);
};

/** @returns the owner and the platform's administrator: `session` as the Shell's page keeps it, and `call` */
export async function fillPlatform(url, adminPassword, browser) {
  const open = caller(`${url}/api`);
  const signIn = async (usernameOrEmail, password) => {
    const session = await open('POST', '/auth/local-login', { usernameOrEmail, password });
    return { session: { ...session, expiresAt: Date.now() + 1000 * session.expiresIn }, call: caller(`${url}/api`, session.accessToken) };
  };
  const admin = await signIn('admin@platform.local', adminPassword);
  for (const plan of await admin.call('GET', '/plans')) {
    const limits = (await admin.call('GET', `/plans/${plan.id}/limits`)).map(({ limitKey, limitValue, period }) => ({ limitKey, limitValue, period }));
    if (!limits.some(({ limitKey }) => limitKey === STORAGE.limitKey)) await admin.call('PUT', `/plans/${plan.id}/limits`, { limits: [...limits, STORAGE] });
  }
  const password = randomBytes(9).toString('base64url');
  await open('POST', '/auth/register', { email: 'maria.lindqvist@northwind.example', username: 'maria', password, firstName: 'Maria', lastName: 'Lindqvist', plan: 'PRO' });
  const owner = await signIn('maria', password);
  const { organizationId } = await owner.call('GET', '/auth/me');
  await admin.call('PUT', `/organizations/${organizationId}`, { name: 'Northwind Telematics' });
  for (const { id } of await admin.call('GET', '/admin/apps')) await admin.call('PUT', `/admin/apps/${id}/organizations/${organizationId}`, { enabled: true });
  const [user] = (await owner.call('GET', '/roles?limit=100')).filter(({ name }) => name === 'USER');
  await owner.call('POST', '/roles', { name: 'Analyst', description: 'Reads everything, changes nothing', permissions: ['users:list', 'roles:list', 'settings:read'] });
  for (const [firstName, lastName] of PEOPLE) await owner.call('POST', '/users', { email: `${ascii(firstName)}.${ascii(lastName)}@northwind.example`, username: ascii(firstName), firstName, lastName, password: randomBytes(9).toString('base64url'), roleIds: [user.id] });
  await owner.call('POST', '/subscriptions/consume', { limitKey: 'api_calls', amount: CALLS });
  await open('POST', '/auth/local-login', { usernameOrEmail: 'tomas', password: 'not his password' }).catch(() => undefined);
  await uploadFiles(url, owner, await makeFiles(browser));
  return { owner, admin };
}

async function uploadFiles(url, { session }, files) {
  const { access_token: token } = await caller(`${url}/drive/api`)('POST', '/auth/exchange', { token: session.accessToken });
  const drive = caller(`${url}/drive/api`, token);
  const folders = new Map();
  for (const name of ['Contracts', 'Photos', 'Reports']) folders.set(name, (await drive('POST', '/folders', { name })).id);
  for (const { folder, name, type, content } of files) {
    const form = new FormData();
    if (folder !== undefined) form.append('folderId', folders.get(folder));
    form.append('file', new Blob([content], { type }), name);
    await drive('POST', '/files/upload', form);
  }
}

const ascii = (name) => name.normalize('NFD').replace(/[^a-z]/gi, '').toLowerCase();
