// Signs in, exchanges the token for one of Drive, uploads a file through the ingress, reads it back and deletes it.
import { createHash, randomBytes } from 'node:crypto';
import { call, json, launchpadEntry, say, serviceUrl, signIn, until } from './platform.mjs';

const shell = await signIn();
const entry = await launchpadEntry('drive', shell);
say(`in the launchpad as ${entry.name}`);
// how its front-end is found is the registry's word
if (entry.remoteEntry) await call('GET', new URL(entry.remoteEntry, serviceUrl).href);
const { access_token: token } = await until('the token is not exchanged', () => json('POST', `${serviceUrl}/api/auth/exchange`, { body: { token: shell } }));
const content = randomBytes(300_000);
const form = new FormData();
form.append('file', new Blob([content]), `helm-test-${Date.now()}.bin`);
const { data: file } = await json('POST', `${serviceUrl}/api/files/upload`, { token, body: form });
say(`uploaded ${file.size} bytes`);
try {
  const sum = createHash('sha256').update(content).digest('hex');
  if (file.checksum !== sum) throw new Error(`The checksum is ${file.checksum}, not ${sum}.`);
  const back = Buffer.from(await (await call('GET', `${serviceUrl}/api/files/${file.id}/download`, { token })).arrayBuffer());
  if (!back.equals(content)) throw new Error('The file that comes back is another one.');
  say('downloaded the same bytes');
} finally {
  await call('DELETE', `${serviceUrl}/api/files/${file.id}`, { token });
}
await call('GET', `${serviceUrl}/api/files/${file.id}/download`, { token, expected: [404] });
say('deleted');
