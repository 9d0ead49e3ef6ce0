import { randomUUID } from 'node:crypto';
import { eventually } from '@satellite/kit/testing';
import { call as askShell, exchanged, registeredApp, serviceClient } from '../../shell/test/support/gateway.js';
import { personIn } from '../../shell/test/support/people.js';
import { useDrive, type DrivePerson } from './support/drive.js';

const drive = useDrive({ APP_ENV_DATA_CLIENTS: 'auto-report,reports-by-hand' });
let ann: DrivePerson;
let reports: string;
beforeAll(async () => {
  ann = await drive().owner();
  reports = await tokenOf('reports-by-hand');
});

async function tokenOf(clientId: string): Promise<string> {
  return (await drive().shell.shell.container.tokens.issueForService(clientId)).accessToken;
}

async function call(method: string, token: string | undefined, body: object = {}) {
  const response = await fetch(`${drive().url}/api/datasource.v1.DataSource/${method}`, { method: 'POST', headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as { code?: string; message?: string; rows: Record<string, unknown>[]; nextPageToken: string; resources: { name: string; fields: { name: string; type: string }[] }[] } };
}
const fetchRows = (over: object = {}, token = reports) => call('Fetch', token, { resource: 'files', organizationId: ann.organizationId, sub: ann.id, ...over });

describe('the data source', () => {
  it('takes tokens of services, and nobody else\'s', async () => {
    const app = await registeredApp(drive().shell);
    const foreign = [undefined, 'x', ann.token, ann.driveToken, await exchanged(drive().shell, ann.token, 'shell-rbac'), await exchanged(drive().shell, ann.token, app.slug)];
    for (const method of ['Describe', 'Fetch']) for (const token of foreign) expect((await call(method, token)).status).toBe(401);
    expect((await drive().as(reports).get('/api/files').expect(401)).body.error.code).toBe('UNAUTHORIZED');
  });

  it('takes clients that the deployment lists, by name or by their app', async () => {
    for (const id of ['operator', 'auto-report', 'auto-report-0123456789ab'].slice(0, 1)) expect((await call('Describe', await tokenOf(id))).status).toBe(403);
    for (const id of ['auto-reporter-0123456789ab', 'x-auto-report-0123456789ab', 'auto-report-0123456789ab-x', 'auto-report-xyz']) expect((await call('Describe', await tokenOf(id))).body.code).toBe('permission_denied');
    for (const id of ['auto-report-0123456789ab', 'reports-by-hand']) expect((await call('Describe', await tokenOf(id))).status).toBe(200);
    const plain = await drive().second({ APP_ENV_DATA_CLIENTS: '' });
    const response = await fetch(`${plain.url}/api/datasource.v1.DataSource/Describe`, { method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${reports}` }, body: '{}' });
    expect(response.status).toBe(403);
  });

  it('knows real clients of the Shell', async () => {
    const { token, clientId } = await serviceClient(drive().shell);
    expect((await askShell(drive().shell, 'CheckPermission', token, { sub: ann.id, act: 'read', obj: 'x' })).status).toBe(403);
    expect((await call('Describe', token)).body.message).toContain(clientId);
  });

  it('describes what it has, and gives exactly those fields', async () => {
    const { body } = await call('Describe', reports);
    expect(body.resources.map(({ name }) => name)).toEqual(['files', 'storage']);
    await drive().upload(ann);
    for (const { name, fields } of body.resources) {
      const [row] = (await fetchRows({ resource: name })).body.rows;
      expect(Object.keys(row ?? {}).sort()).toEqual(fields.map((field) => field.name).sort());
    }
  });

  it('refuses unknown resources, malformed ids, page sizes and page tokens', async () => {
    expect((await fetchRows({ resource: 'users' })).status).toBe(404);
    for (const over of [{ organizationId: '' }, { organizationId: 'x' }, { sub: 'x' }, { pageSize: -1 }, { pageSize: 1001 }, { pageToken: 'x' }, { pageToken: Buffer.from('["storage","a"]').toString('base64url') }, { pageToken: Buffer.from('["files","a\'; drop table files"]').toString('base64url') }]) {
      expect((await fetchRows(over)).status).toBe(400);
    }
  });

  it('gives nothing on the authority of strangers, suspended people, other organizations and who may not read', async () => {
    const [bob, newcomer, other] = [await drive().colleague(ann), await personIn(drive().shell, ann.organizationId), await drive().owner()];
    expect((await fetchRows({ sub: bob.id })).status).toBe(200);
    for (const sub of [randomUUID(), newcomer.id, other.id]) expect((await fetchRows({ sub })).body.code).toBe('permission_denied');
    expect((await fetchRows({ sub: ann.id, organizationId: other.organizationId })).status).toBe(403);
    await drive().as(ann.driveToken).put(`/api/users/${bob.id}`).send({ status: 'suspended' }).expect(200);
    expect((await fetchRows({ sub: bob.id })).status).toBe(403);
    await drive().as(ann.driveToken).put(`/api/users/${bob.id}`).send({ status: 'active' }).expect(200);
    await drive().as(ann.driveToken).delete(`/api/users/${bob.id}/roles/editor`).expect(204);
    expect((await fetchRows({ sub: bob.id })).status).toBe(403);
    await drive().as(ann.driveToken).post(`/api/users/${bob.id}/roles`).send({ roleId: 'viewer' }).expect(201);
    expect((await fetchRows({ sub: bob.id })).status).toBe(200);
    await drive().shell.as(ann.token).put(`/api/users/${bob.id}`).send({ status: 'suspended' }).expect(200);
    await eventually(async () => (await fetchRows({ sub: bob.id })).status === 403, 3000, 'the suspension');
  });

  it('gives every file of the organization once, page by page, and none of others, while files come', async () => {
    const owner = await drive().owner();
    await drive().upload(await drive().owner());
    const folder = await drive().makeFolder(owner, 'inside');
    const ids = new Set<string>();
    for (let n = 0; n < 7; n += 1) ids.add((await drive().upload(owner, `f${n}.txt`, 'x'.repeat(n), n === 0 ? folder.id : undefined)).id);
    const seen: Record<string, unknown>[] = [];
    let [pageToken, pages] = ['', 0];
    do {
      const { body } = await fetchRows({ organizationId: owner.organizationId, sub: owner.id, pageSize: 3, pageToken });
      seen.push(...body.rows);
      pageToken = body.nextPageToken;
      pages += 1;
      await drive().upload(owner);
    } while (pageToken !== '');
    expect(pages).toBeGreaterThanOrEqual(3);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
    expect([...ids].filter((id) => !seen.some((row) => row['id'] === id))).toEqual([]);
    expect(seen.find(({ name }) => name === 'f0.txt')).toMatchObject({ folder: 'inside', size: 0, contentType: 'text/plain', createdBy: owner.email, activeLinks: 0 });
  });

  it('sums up what is stored', async () => {
    const owner = await drive().owner();
    await drive().upload(owner, undefined, 'abc');
    await drive().upload(owner, undefined, 'defg');
    await drive().upload(owner, 'x.bin', Buffer.from([0, 1, 2]));
    expect((await fetchRows({ resource: 'storage', organizationId: owner.organizationId, sub: owner.id })).body).toEqual({ rows: [{ contentType: 'application/octet-stream', files: 1, bytes: 3 }, { contentType: 'text/plain', files: 2, bytes: 7 }], nextPageToken: '' });
  });
});
