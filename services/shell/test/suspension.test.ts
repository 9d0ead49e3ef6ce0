import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { eventually } from '@satellite/kit/testing';
import { call, exchanged, registeredApp, serviceClient } from './support/gateway.js';
import { useShell } from './support/shell.js';

const shell = useShell();

describe('suspending an organization in one process', () => {
  it('cuts sessions, tokens, exchanges, checks and consumption in the other at once', async () => {
    const other = await shell().second();
    const chief = await (await shell().organization()).member(['organizations:list', 'organizations:read', 'organizations:write']);
    const name = `ann-${randomUUID().slice(0, 8)}`;
    const { accessToken, refreshToken } = (await shell().as().post('/api/auth/register').send({ email: `${name}@example.org`, username: name, password: 'a password to remember', firstName: 'Ann', lastName: 'Example', plan: 'HOBBY' }).expect(201)).body.data;
    const { sub, organizationId } = decodeJwt<{ organizationId: string }>(accessToken);
    const app = await registeredApp(shell());
    const gateway = await exchanged(shell(), accessToken, 'shell-rbac');
    const service = await serviceClient(shell(), { permissions: ['rbac:read'] });
    await other.shell.container.feeds.look(); // a client put straight into the table is announced by nobody; other processes hear of it at their next look
    const question = { sub, act: 'list', obj: 'users' };
    expect((await call(other, 'CheckPermission', service.token, question)).json['allowed']).toBe(true);
    await other.as(accessToken).post('/api/subscriptions/consume').send({ limitKey: 'api_calls' }).expect(200);

    await shell().as(chief).put(`/api/organizations/${organizationId}`).send({ status: 'suspended' }).expect(200);

    await other.as(accessToken).get('/api/auth/me').expect(401);
    await other.as().post('/api/auth/refresh').send({ refreshToken }).expect(400);
    await other.as().post('/api/auth/local-login').send({ username: name, password: 'a password to remember' }).expect(401);
    await other.as(accessToken).post('/api/auth/exchange').send({ service: app.slug }).expect(401);
    await other.as(accessToken).post('/api/subscriptions/consume').send({ limitKey: 'api_calls' }).expect(401);
    await other.as(accessToken).get('/api/config/apps').expect(401);
    expect((await call(other, 'CheckPermission', service.token, { ...question, consistency: 'full' })).json['allowed']).toBe(false);
    await eventually(async () => (await call(other, 'CheckPermission', service.token, question)).json['allowed'] === false, 1000, 'the answer from memory');
    await eventually(async () => (await call(other, 'CheckPermission', gateway, question)).status === 401, 1000, 'the refusal of the gateway token');
    await other.stop();
  });
});
