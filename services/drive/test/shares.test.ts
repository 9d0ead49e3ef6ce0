import { createHash, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { eventually } from '@satellite/kit/testing';
import { useDrive, type DrivePerson } from './support/drive.js';

const BOUND_MS = 3000;
const drive = useDrive({ APP_ENV_LIMIT_LINK_MISSES_PER_MINUTE: '100000' });
let ann: DrivePerson;
beforeEach(async () => {
  ann = await drive().owner();
});
const as = (person: DrivePerson) => drive().as(person.driveToken);
const stranger = () => drive().as();
const share = async (person: DrivePerson, fileId: string, ttlDays = 1) => {
  const { data } = (await as(person).post(`/api/files/${fileId}/share`).send({ ttlDays }).expect(201)).body as { data: { url: string; expiresAt: string } };
  return { ...data, token: data.url.split('/s/')[1] ?? '' };
};
/** A file of that name, with a link; clients send quotes in multipart headers each in their own way. */
const shared = async (person: DrivePerson, name?: string, content?: string) => {
  const file = await drive().upload(person, undefined, content);
  if (name !== undefined) await as(person).patch(`/api/files/${file.id}`).send({ name }).expect(200);
  return { file, ...(await share(person, file.id)) };
};
const get = (token: string) => stranger().get(`/api/public/files/${token}`);
const stops = (token: string): Promise<void> => eventually(async () => (await get(token)).status === 404, BOUND_MS, 'the link stopped');

describe('a share link', () => {
  it('is refused for a file that is not there, for other lives than 1, 3 and 7 days, and to who may not share', async () => {
    const { id } = await drive().upload(ann);
    for (const ttlDays of [0, 2, -1, 8, 1.5, '1', null, undefined]) await as(ann).post(`/api/files/${id}/share`).send({ ttlDays }).expect(400);
    await as(ann).post(`/api/files/${id}/share`).send({ ttlDays: 1, password: 'x' }).expect(400);
    await as(ann).post(`/api/files/${randomUUID()}/share`).send({ ttlDays: 1 }).expect(404);
    const [viewer, editor] = [await drive().colleague(ann, 'viewer'), await drive().colleague(ann)];
    await as(viewer).post(`/api/files/${id}/share`).send({ ttlDays: 1 }).expect(403);
    expect((await as(editor).post(`/api/files/${id}/share`).send({ ttlDays: 1 }).expect(403)).body.error.details.reason).toBe('files.not_yours');
    expect((await as(ann).get(`/api/files/${id}/share`).expect(200)).body).toEqual({ data: [] });
  });

  it.each([1, 3, 7])('for %d days gives the file to anybody, with headers under which no browser runs it', async (days) => {
    const { file } = await shared(ann, 'päge "1".html', '<script>alert(1)</script>');
    const { url, token, expiresAt } = await share(ann, file.id, days);
    expect(url).toBe(`http://platform.test/drive/s/${token}`);
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - days * 86_400_000)).toBeLessThan(60_000);
    const { headers, text } = await get(token).buffer(true).expect(200);
    expect(text).toBe('<script>alert(1)</script>');
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'", 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer',
      'content-disposition': `attachment; filename="p_ge _1_.html"; filename*=UTF-8''p%C3%A4ge%20%221%22.html`, etag: `"${file.checksum}"`,
    });
  });

  it('is listed with its token for those who may share the file, and stored as a hash only', async () => {
    const { file, token, expiresAt } = await shared(ann);
    const { data } = (await as(ann).get(`/api/files/${file.id}/share`).expect(200)).body;
    expect(data).toEqual([{ id: expect.any(String), token, expiresAt, createdBy: ann.id }]);
    const [row] = await drive().query<{ text: string }>('select to_json(l)::text as text from share_links l where file_id = ?', [file.id]);
    expect(row?.text).not.toContain(token);
    expect(row?.text).toContain(createHash('sha256').update(token).digest('hex'));
  });

  it('tells a stranger the name, size, type and end of the file, and nothing else', async () => {
    const { token, expiresAt, file } = await shared(ann, 'plan.csv', 'a,b');
    expect((await stranger().get(`/api/public/files/${token}/info`).expect(200)).body).toEqual({ data: { name: 'plan.csv', size: 3, contentType: 'text/plain', expiresAt } });
    for (const answer of [await get(token), await stranger().get(`/s/${token}`).set('accept', 'text/html')]) {
      const all = JSON.stringify([answer.headers, answer.text]);
      for (const secret of [file.id, ann.id, ann.email, ann.organizationId]) expect(all).not.toContain(secret);
    }
  });

  it('can be read only: neither changed nor deleted through it, and nothing below it', async () => {
    const { token } = await shared(ann);
    for (const method of ['patch', 'delete', 'put', 'post'] as const) {
      const { status } = await stranger()[method](`/api/public/files/${token}`).send({});
      expect([404, 405]).toContain(status);
    }
    for (const path of ['/../x', '%2f..%2fx', '/x', '/info/x', '%00', '?token=x']) expect([400, 404]).toContain((await stranger().get(`/api/public/files/${token}${path}`)).status);
    await get(token).expect(200);
  });

  it('gives ranges, answers HEAD, and 404 alike to both once it has ended', async () => {
    const { file, token } = await shared(ann, undefined, 'abcdef');
    expect((await get(token).set('range', 'bytes=2-3').buffer(true).expect(206)).text).toBe('cd');
    await stranger().head(`/api/public/files/${token}`).expect(200).expect('content-length', '6');
    await drive().query(`update share_links set expires_at = now() + interval '1 hour' where file_id = ?`, [file.id]);
    await get(token).expect(200);
    await drive().query(`update share_links set expires_at = now() where file_id = ?`, [file.id]);
    for (const answer of [get(token), get(token).set('range', 'bytes=0-1'), stranger().head(`/api/public/files/${token}`), stranger().get(`/api/public/files/${token}/info`), stranger().get(`/s/${token}`).set('accept', 'text/html')]) await answer.expect(404);
    expect((await as(ann).get(`/api/files/${file.id}/share`).expect(200)).body.data).toEqual([]);
  });

  it('ends when it is revoked, for good and for all processes', async () => {
    const { file, token } = await shared(ann);
    const other = await drive().second();
    const kept = await share(ann, file.id, 7);
    const links = (await as(ann).get(`/api/files/${file.id}/share`).expect(200)).body.data as { id: string; token: string }[];
    const id = links.find((link) => link.token === token)?.id ?? '';
    await as(ann).delete(`/api/files/${file.id}/share/${randomUUID()}`).expect(404);
    await as(ann).delete(`/api/files/${file.id}/share/${id}`).expect(204);
    await other.as().get(`/api/public/files/${token}`).expect(404);
    await as(ann).delete(`/api/files/${file.id}/share/${id}`).expect(404);
    await get(kept.token).expect(200);
    expect((await as(ann).get(`/api/files/${file.id}/share`).expect(200)).body.data).toMatchObject([{ token: kept.token }]);
    const [row] = await drive().query<{ revoked: boolean }>('select revoked_at is not null as revoked from share_links where id = ?', [id]);
    expect(row?.revoked).toBe(true);
  });

  it('falls with its file, and with the folder around it; what is made anew in its place has no links', async () => {
    const folder = await drive().makeFolder(ann, 'plans');
    const file = await drive().upload(ann, 'a.txt', 'old', folder.id);
    const { token } = await share(ann, file.id);
    await as(ann).delete(`/api/folders/${folder.id}`).expect(204);
    await get(token).expect(404);
    const again = await drive().makeFolder(ann, 'plans');
    await drive().upload(ann, 'a.txt', 'new', again.id);
    await get(token).expect(404);
    const single = await shared(ann);
    await as(ann).delete(`/api/files/${single.file.id}`).expect(204);
    await get(single.token).expect(404);
    await as(ann).post(`/api/files/${single.file.id}/share`).send({ ttlDays: 1 }).expect(404);
  });

  it('stops while its owner is suspended in Drive or has lost the right to share', async () => {
    const bob = await drive().colleague(ann);
    const { token } = await shared(bob);
    await as(ann).put(`/api/users/${bob.id}`).send({ status: 'suspended' }).expect(200);
    await get(token).expect(404);
    await as(ann).put(`/api/users/${bob.id}`).send({ status: 'active' }).expect(200);
    await get(token).expect(200);
    await as(ann).delete(`/api/users/${bob.id}/roles/editor`).expect(204);
    await get(token).expect(404);
  });

  it('stops within moments of the suspension of its owner, or of the organization, in the Shell', async () => {
    const bob = await drive().colleague(ann);
    const [bobs, anns] = [await shared(bob), await shared(ann)];
    await drive().shell.as(ann.token).put(`/api/users/${bob.id}`).send({ status: 'suspended' }).expect(200);
    await stops(bobs.token);
    await get(anns.token).expect(200);
    const platform = await (await drive().shell.organization()).member(['organizations:list', 'organizations:write']);
    await drive().shell.as(platform).put(`/api/organizations/${ann.organizationId}`).send({ status: 'suspended' }).expect(200);
    await stops(anns.token);
  });

  it('stops when the organization does not have Drive any more', async () => {
    const { token } = await shared(ann);
    const platform = await (await drive().shell.organization()).member(['apps:write']);
    await drive().shell.as(platform).put(`/api/admin/apps/${drive().appId}/organizations/${ann.organizationId}`).send({ enabled: false }).expect(200);
    await stops(token);
  });

  it('keeps working when links are made with a new key, and is listed while its key is known', async () => {
    const { file, token } = await shared(ann);
    const [before, after] = [Buffer.alloc(32, 9).toString('base64'), Buffer.alloc(32, 8).toString('base64')];
    const changing = await drive().second({ APP_ENV_LINK_KEYS: `${after},${before}` });
    const changed = await drive().second({ APP_ENV_LINK_KEYS: after });
    expect((await changing.as(ann.driveToken).get(`/api/files/${file.id}/share`).expect(200)).body.data).toMatchObject([{ token }]);
    expect((await changed.as(ann.driveToken).get(`/api/files/${file.id}/share`).expect(200)).body.data).toMatchObject([{ token: null }]);
    await changed.as().get(`/api/public/files/${token}`).expect(200);
  });

  it('is made as often as it is asked for at once, and revoked once', async () => {
    const { id } = await drive().upload(ann);
    const tokens = await Promise.all(Array.from({ length: 10 }, () => share(ann, id).then(({ token }) => token)));
    expect(new Set(tokens).size).toBe(10);
    const [link] = (await as(ann).get(`/api/files/${id}/share`).expect(200)).body.data as { id: string }[];
    const revoked = await Promise.all(Array.from({ length: 5 }, () => as(ann).delete(`/api/files/${id}/share/${link?.id}`)));
    expect(revoked.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  });

  it('either is made or finds no file when the file is deleted at the same time; it never outlives the file', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await drive().upload(ann);
      const [made] = await Promise.all([as(ann).post(`/api/files/${id}/share`).send({ ttlDays: 1 }), as(ann).delete(`/api/files/${id}`).expect(204)]);
      expect([201, 404]).toContain(made.status);
      if (made.status === 201) await get(made.body.data.url.split('/s/')[1]).expect(404);
    }
  });
});

describe('the address of a link', () => {
  it('is a page for people that runs nothing, whatever the file is called', async () => {
    const { token } = await shared(ann, `<img src=x onerror=alert(1)>&"'.txt`);
    const { headers, text } = await stranger().get(`/drive/s/${token}`).set('accept', 'text/html,*/*').expect(200);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;.txt');
    expect(text).not.toContain('<img');
    expect(text).toContain(`href="/drive/api/public/files/${token}"`);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/);
    expect(headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  });

  it('leads programs to the file', async () => {
    const { token } = await shared(ann, undefined, 'hello');
    await stranger().get(`/s/${token}`).expect(302).expect('location', `/drive/api/public/files/${token}`);
    expect((await stranger().get(`/s/${token}`).redirects(1).buffer(true).expect(200)).text).toBe('hello');
  });

  it('says that there is nothing for what no link ever was', async () => {
    for (const token of ['x', 'x'.repeat(43), '..%2f..', '%00', 'a'.repeat(4000)]) await stranger().get(`/s/${token}`).set('accept', 'text/html').expect(404);
  });
});

describe('guessing links', () => {
  it('is not listened to for a while, by address; everybody else goes on', async () => {
    const guarded = await drive().second({ APP_ENV_LIMIT_LINK_MISSES_PER_MINUTE: '5', APP_ENV_TRUSTED_PROXIES: 'loopback' });
    const { token } = await shared(ann);
    const from = (address: string, tried: string, path = '/api/public/files/') => guarded.as().get(`${path}${tried}`).set('x-forwarded-for', address);
    for (let miss = 0; miss < 5; miss += 1) await from('192.0.2.1', 'x'.repeat(43)).expect(404);
    await eventually(async () => (await from('192.0.2.1', 'y'.repeat(43))).status === 429, 5000, 'the guard');
    await from('192.0.2.1', token).expect(429).expect('retry-after', /\d+/);
    await from('192.0.2.1', token, '/s/').expect(429);
    await from('192.0.2.2', token).expect(200);
    for (let hit = 0; hit < 8; hit += 1) await from('192.0.2.3', token).expect(200);
    await guarded.drive.container.redis.flushall(); // a minute later
    await from('192.0.2.1', token).expect(200);
  });
});

describe('while the Shell is away', () => {
  it('no link is given out: nobody can say whether its owner still may share', async () => {
    const refusing: Server = createServer((_request, response) => void response.writeHead(503).end());
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const alone = await drive().second({ APP_ENV_SHELL_URL: `http://127.0.0.1:${(refusing.address() as { port: number }).port}` });
    const { token } = await shared(ann);
    await alone.as().get(`/api/public/files/${token}`).expect(503);
    refusing.close();
  });
});
