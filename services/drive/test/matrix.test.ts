import { describeAnonymous, describeBearers, describeForeign, operationsOf, addressOf, named, type ForeignCall, type Operation } from '@satellite/kit/testing';
import { rawOpenApi } from '../src/openapi.js';
import { permissionsOf, ROLE_IDS, type RoleId } from '../src/permissions.js';
import { useDrive, type DrivePerson } from './support/drive.js';

const drive = useDrive({ APP_ENV_LIMIT_LINK_MISSES_PER_MINUTE: '100000' });
const operations = operationsOf(rawOpenApi);
const send = (operation: Operation, token: string | undefined, address: string, body: object = {}) => {
  const request = drive().as(token)[operation.method](address);
  return operation.method === 'get' || operation.method === 'delete' ? request : request.send(body);
};

/** The only operations that anybody may call, and why. */
const PUBLIC = new Map([
  ['POST /auth/exchange', 'the Shell\'s token is the proof'], ['GET /public/files/{token}', 'the link is the proof'], ['GET /public/files/{token}/info', 'the link is the proof'],
  ['GET /health', 'for probes'], ['GET /doc/openapi.json', 'for developers'],
]);

const people = new Map<RoleId, DrivePerson>();
beforeAll(async () => {
  const owner = await drive().owner();
  people.set('admin', owner);
  for (const role of ['editor', 'viewer'] as const) people.set(role, await drive().colleague(owner, role));
});

describe('what an operation asks for', () => {
  it('is the role that the interface says: admin for everything about users, and no more than a role that can upload for the rest', () => {
    const asked = Object.fromEntries(operations.filter(({ isPublic }) => !isPublic).map(({ name, permissions }) => [name, permissions.join()]));
    const [read, write, share, manage] = ['files:read', 'files:write', 'shares:write', 'users:manage'];
    expect(asked).toEqual({
      'GET /files': read, 'GET /files/{id}': read, 'GET /files/{id}/download': read, 'GET /folders': read, 'GET /storage': read,
      'POST /files/upload': write, 'PATCH /files/{id}': write, 'DELETE /files/{id}': write, 'POST /folders': write, 'PATCH /folders/{id}': write, 'DELETE /folders/{id}': write,
      'POST /files/{id}/share': share, 'GET /files/{id}/share': share, 'DELETE /files/{id}/share/{linkId}': share,
      'GET /users': manage, 'POST /users': manage, 'GET /users/{id}': manage, 'PUT /users/{id}': manage, 'POST /users/{id}/roles': manage, 'DELETE /users/{id}/roles/{roleId}': manage, 'GET /users/roles': manage, 'GET /audit': manage,
    });
  });
});

describeAnonymous(operations, PUBLIC, send);
describeBearers(operations, ROLE_IDS.map((role) => ({ name: role, permissions: [...permissionsOf([role])], token: () => people.get(role)?.driveToken ?? '' })), send);

describe('as somebody without a role', () => {
  it.each(named(operations.filter(({ isPublic }) => !isPublic)))('%s answers 403', async (_name, operation) => {
    const nobody = await drive().colleague(people.get('admin') as DrivePerson);
    await drive().query('delete from user_roles where user_id = ?', [nobody.id]);
    expect((await send(operation, nobody.driveToken, addressOf(operation))).status).toBe(403);
  });
});

/** What organization A has; B must not learn of it, nor touch it. */
interface Belongings {
  readonly userId: string;
  readonly folderId: string;
  readonly fileId: string;
  readonly linkId: string;
}

const OWNED: Readonly<Record<string, (a: Belongings) => ForeignCall>> = {
  'GET /files/{id}': (a) => ({ values: { id: a.fileId } }),
  'PATCH /files/{id}': (a) => ({ values: { id: a.fileId }, body: { name: 'mine now' } }),
  'DELETE /files/{id}': (a) => ({ values: { id: a.fileId } }),
  'GET /files/{id}/download': (a) => ({ values: { id: a.fileId } }),
  'POST /files/{id}/share': (a) => ({ values: { id: a.fileId }, body: { ttlDays: 1 } }),
  'GET /files/{id}/share': (a) => ({ values: { id: a.fileId } }),
  'DELETE /files/{id}/share/{linkId}': (a) => ({ values: { id: a.fileId, linkId: a.linkId } }),
  'PATCH /folders/{id}': (a) => ({ values: { id: a.folderId }, body: { name: 'mine now' } }),
  'DELETE /folders/{id}': (a) => ({ values: { id: a.folderId } }),
  'GET /users/{id}': (a) => ({ values: { id: a.userId } }),
  'PUT /users/{id}': (a) => ({ values: { id: a.userId }, body: { status: 'suspended' } }),
  'POST /users/{id}/roles': (a) => ({ values: { id: a.userId }, body: { roleId: 'admin' } }),
  'DELETE /users/{id}/roles/{roleId}': (a) => ({ values: { id: a.userId, roleId: 'admin' } }),
};
const OTHERS = { 'GET /public/files/{token}': 'whoever has the link', 'GET /public/files/{token}/info': 'whoever has the link' };

/** B's trail names what B itself asked for and was refused: no news to B. */
function withoutOwnAttempts(text: string): string {
  return JSON.stringify(JSON.parse(text, (_key, value: unknown) => ((value as { action?: string } | null)?.action === 'request.refused' ? { ...(value as object), subjectId: null } : value)));
}

describe('between organizations', () => {
  let a: Belongings;
  let alice: DrivePerson;
  let bob: DrivePerson;
  beforeAll(async () => {
    [alice, bob] = [await drive().owner(), await drive().owner()];
    const folder = await drive().makeFolder(alice, 'secret plans');
    const file = await drive().upload(alice, 'secret.txt', 'secret', folder.id);
    await drive().as(alice.driveToken).post(`/api/files/${file.id}/share`).send({ ttlDays: 7 }).expect(201);
    const [link] = (await drive().as(alice.driveToken).get(`/api/files/${file.id}/share`).expect(200)).body.data as { id: string }[];
    a = { userId: alice.id, folderId: folder.id, fileId: file.id, linkId: link?.id ?? '' };
  });

  const rowsOfA = async (): Promise<string> => {
    const tables = ['users', 'user_roles', 'folders', 'files', 'share_links', 'audit_entries'];
    return JSON.stringify([await Promise.all(tables.map((table) => drive().query(`select * from ${table} where organization_id = ? order by 1, 2, 3`, [alice.organizationId]))), (await drive().objects()).filter((key) => key.startsWith(alice.organizationId))]);
  };
  /** Says in headers that A is meant; none of them may count. */
  const posing = (operation: Operation, token: string | undefined, address: string, body?: object) => send(operation, token, address, body).set('x-org-id', alice.organizationId).set('x-organization-id', alice.organizationId).set('x-tenant-id', alice.organizationId);

  describeForeign(operations, { belongings: () => a, owned: OWNED, others: OTHERS, stranger: () => bob.driveToken, snapshot: rowsOfA }, posing);

  it('nothing of A can be named in a body or a query', async () => {
    const before = await rowsOfA();
    const mine = await drive().upload(bob);
    const folder = await drive().makeFolder(bob);
    const refused = [
      drive().as(bob.driveToken).post('/api/folders').send({ name: 'x', parentId: a.folderId }), drive().as(bob.driveToken).patch(`/api/folders/${folder.id}`).send({ parentId: a.folderId }),
      drive().as(bob.driveToken).patch(`/api/files/${mine.id}`).send({ folderId: a.folderId }), drive().as(bob.driveToken).get(`/api/folders?parentId=${a.folderId}`), drive().as(bob.driveToken).get(`/api/files?folderId=${a.folderId}`),
      drive().as(bob.driveToken).post('/api/files/upload').field('folderId', a.folderId).attach('file', Buffer.from('x'), 'x.txt'), drive().as(bob.driveToken).delete(`/api/files/${mine.id}/share/${a.linkId}`),
    ];
    for (const request of refused) await request.expect(404);
    expect(await rowsOfA()).toBe(before);
  });

  const lists = operations.filter(({ method, parameters, isPublic }) => method === 'get' && parameters.length === 0 && !isPublic);

  it.each(named(lists))('%s shows nothing of others', async (_name, operation) => {
    const { text } = await posing(operation, bob.driveToken, addressOf(operation));
    for (const secret of [...Object.values(a), alice.id, alice.email, 'secret.txt', 'secret plans']) expect(withoutOwnAttempts(text)).not.toContain(secret);
  });

  it('the search for A\'s rows in lists finds them where they belong', async () => {
    const found: string[] = [];
    for (const operation of lists) {
      const { text } = await send(operation, alice.driveToken, addressOf(operation));
      if ([...Object.values(a), alice.email].some((secret) => text.includes(secret))) found.push(operation.name);
    }
    expect(found).toEqual(expect.arrayContaining(['GET /files', 'GET /folders', 'GET /users', 'GET /audit']));
  });
});
