// Signs in through the ingress, asks who that is, and opens the page.
import { call, json, platformUrl, say, signIn } from './platform.mjs';

const token = await signIn();
say('signed in');
const { data: me } = await json('GET', `${platformUrl}/api/auth/me`, { token });
if (typeof me.id !== 'string') throw new Error(`/api/auth/me says ${JSON.stringify(me)}`);
say(`the Shell knows ${me.email}`);
await call('GET', `${platformUrl}/api/auth/me`, { expected: [401] });
const page = await call('GET', `${platformUrl}/`, { headers: { accept: 'text/html' } });
if (!(page.headers.get('content-type') ?? '').startsWith('text/html')) throw new Error('The address does not answer a page.');
say('the page opens');
await call('GET', `${platformUrl}/api/auth/logout`, { token });
await call('GET', `${platformUrl}/api/auth/me`, { token, expected: [401] });
say('signed out');
