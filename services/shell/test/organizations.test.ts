import { randomUUID } from 'node:crypto';
import { buildOrganizations } from '../src/modules/organizations/index.js';
import { buildRoles } from '../src/modules/roles/index.js';
import { feeds, personIn, platformOf, tokenOf, type Person } from './support/people.js';
import { useShell } from './support/shell.js';

const shell = useShell();

let organizationId: string;
let owner: Person;
let chief: Person;
beforeEach(async () => {
  organizationId = (await shell().organization()).id;
  owner = await personIn(shell(), organizationId, { systemRole: 'ADMIN' });
  chief = await personIn(shell(), await platformOf(shell()), { systemRole: 'SUPER_ADMIN' });
});

const path = (id = organizationId): string => `/api/organizations/${id}`;
const rowOf = async (id: string) => (await shell().query<{ name: string; status: string; plan: string }>('select name, status, subscription_plan as plan from organizations where id = ?', [id]))[0];

describe('an administrator of one organization', () => {
  it('sees and changes their own', async () => {
    const { data } = (await shell().as(owner.token).get(path()).expect(200)).body;
    expect(data).toMatchObject({ id: organizationId, status: 'active', type: 'company', domain: null, subscriptionPlan: 'HOBBY', userCount: 1, users: [{ id: owner.id, email: owner.email, username: owner.id, firstName: 'Ann', lastName: 'Example', status: 'active' }] });
    expect(JSON.stringify(data)).not.toMatch(/hash|preferences/i);
    const changed = await shell().as(owner.token).put(path()).set('if-match', '"1"').send({ name: 'New name', type: 'club', domain: 'example.org', status: 'active' }).expect(200);
    expect(changed.body.data).toMatchObject({ name: 'New name', type: 'club', domain: 'example.org', version: 2 });
    expect(changed.headers['etag']).toBe('"2"');
    await shell().as(owner.token).put(path()).set('if-match', '"1"').send({ name: 'Late' }).expect(412);
    expect((await shell().as(owner.token).put(path()).send({ domain: null }).expect(200)).body.data).toMatchObject({ name: 'New name', domain: null });
  });

  it('neither sees nor changes others, the platform\'s included', async () => {
    for (const id of [(await shell().organization()).id, await platformOf(shell()), randomUUID()]) {
      const before = await rowOf(id);
      await shell().as(owner.token).get(path(id)).expect(404);
      await shell().as(owner.token).put(path(id)).send({ name: 'Mine' }).expect(404);
      await shell().as(owner.token).put(`${path(id)}/subscription`).send({ planCode: 'PRO' }).expect(404);
      expect(await rowOf(id)).toEqual(before);
    }
    await shell().as(owner.token).get('/api/organizations').expect(403);
  });

  it('does not suspend it', async () => {
    const { error } = (await shell().as(owner.token).put(path()).send({ status: 'suspended', name: 'Gone' }).expect(403)).body;
    expect(error.details.reason).toBe('organizations.status_is_the_platforms');
    expect(await rowOf(organizationId)).toMatchObject({ status: 'active' });
    expect((await rowOf(organizationId))?.name).not.toBe('Gone');
  });

  it.each([{ name: '' }, { name: 'x'.repeat(201) }, { name: 'a\nb' }, { name: null }, { type: ' ' }, { type: 'x'.repeat(41) }, { status: 'deleted' }, { domain: 'not a domain' }, { domain: 'http://example.org' }, { domain: 'localhost' }, { slug: 'other' }, { subscriptionPlan: 'ENTERPRISE' }, { id: randomUUID() }])('refuses %j', async (body) => {
    const before = await rowOf(organizationId);
    await shell().as(owner.token).put(path()).send(body).expect(400);
    expect(await rowOf(organizationId)).toEqual(before);
  });
});

describe('the plan', () => {
  it.each([{}, { planCode: 'FREE' }, { planCode: 'pro' }, { planCode: 7 }, { planCode: 'PRO', interval: 'monthly' }])('refuses %j', async (body) => {
    await shell().as(chief.token).put(`${path()}/subscription`).send(body).expect(400);
    expect((await rowOf(organizationId))?.plan).toBe('HOBBY');
  });

  it('is set with success: true', async () => {
    const answer = await shell().as(chief.token).put(`${path()}/subscription`).send({ planCode: 'ENTERPRISE' }).expect(200);
    expect(answer.body.data).toEqual({ success: true });
    expect((await rowOf(organizationId))?.plan).toBe('ENTERPRISE');
  });
});

describe('the platform', () => {
  it('lists all organizations, paged, filtered and sorted', async () => {
    const filter = encodeURIComponent(JSON.stringify({ type: 'company', status: 'active' }));
    const answer = await shell().as(chief.token).get(`/api/organizations?limit=1&sort=-createdAt&filter=${filter}`).expect(200);
    expect(answer.body.data).toMatchObject([{ id: organizationId }]);
    expect(answer.body.data[0].users).toBeUndefined();
    expect(answer.body.pagination.total).toBeGreaterThan(1);
    for (const query of ['sort=users', 'filter=%7B%22users%22:1%7D', 'limit=1000']) await shell().as(chief.token).get(`/api/organizations?${query}`).expect(400);
  });

  it('suspends an organization: sessions and tokens end, both feeds say so', async () => {
    const others = await personIn(shell(), organizationId, { permissions: ['users:list'] });
    await shell().as(others.token).get('/api/users').expect(200);
    const before = await feeds(shell());
    await shell().as(chief.token).put(path()).send({ status: 'suspended' }).expect(200);
    expect(await feeds(shell())).toEqual({ policy: before.policy + 1, revocations: before.revocations + 1 });
    expect(await shell().query('select kind, subject from revocations where seq = ?', [before.revocations + 1])).toEqual([{ kind: 'organization', subject: organizationId }]);
    expect(await shell().query('select from sessions where organization_id = ? and ended_at is null', [organizationId])).toHaveLength(0);
    for (const { token } of [owner, others]) await shell().as(token).get('/api/users').expect(401);
    await shell().as(chief.token).get('/api/users').expect(200);
  });

  it('reactivates it, without the old sessions and without those that raced the suspension', async () => {
    await shell().as(chief.token).put(path()).send({ status: 'suspended' }).expect(200);
    const raced = await tokenOf(shell(), owner.id, organizationId);
    await shell().as(raced).get('/api/users').expect(401);
    const before = await feeds(shell());
    await shell().as(chief.token).put(path()).send({ status: 'active' }).expect(200);
    expect(await feeds(shell())).toEqual({ policy: before.policy + 1, revocations: before.revocations + 1 });
    for (const token of [owner.token, raced]) await shell().as(token).get('/api/users').expect(401);
    await shell().as(await tokenOf(shell(), owner.id, organizationId)).get('/api/users').expect(200);
  });

  it('cannot suspend itself', async () => {
    const platform = await platformOf(shell());
    const { error } = (await shell().as(chief.token).put(path(platform)).send({ status: 'suspended' }).expect(409)).body;
    expect(error.details.reason).toBe('organizations.platform_not_suspendable');
    await shell().as(chief.token).get(path(platform)).expect(200);
  });

  it('answers 404 for what does not exist', async () => {
    await shell().as(chief.token).get(path(randomUUID())).expect(404);
    await shell().as(chief.token).put(path(randomUUID())).send({ name: 'x' }).expect(404);
    await shell().as(chief.token).put(`${path(randomUUID())}/subscription`).send({ planCode: 'PRO' }).expect(404);
  });

  it('lets one of 8 writers with the same entity tag through', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => shell().as(chief.token).put(path()).set('if-match', '"1"').send({ name: `Writer ${n}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
  });
});

describe('provisioning', () => {
  const service = () => {
    const { container } = shell().shell;
    return buildOrganizations(container, buildRoles(container), container.subscriptions, container.quota).organizations;
  };
  const person = () => {
    const username = `u${randomUUID().slice(0, 8)}`;
    return { email: `${username}@example.org`, username, firstName: 'Ann', lastName: 'Example', passwordHash: null };
  };
  const slugsOf = async (name: string): Promise<string[]> => (await shell().query<{ slug: string }>('select slug from organizations where name = ? order by slug', [name])).map(({ slug }) => slug);

  it('makes an organization with an owner, in one step, and announces it', async () => {
    const before = await feeds(shell());
    const made = await service().provision({ name: 'Žlutý kůň, s.r.o.', type: 'company', plan: 'PRO', owner: person() });
    expect(await slugsOf('Žlutý kůň, s.r.o.')).toEqual(['zluty-kun-s-r-o']);
    const roles = await shell().query('select r.name, u.organization_id as "organizationId" from user_roles ur join roles r on r.id = ur.role_id join users u on u.id = ur.user_id where ur.user_id = ?', [made.userId]);
    expect(roles).toEqual([{ name: 'ADMIN', organizationId: made.organizationId }]);
    expect((await feeds(shell())).policy).toBe(before.policy + 1);
  });

  it('gives 10 of the same name at once a slug each', async () => {
    await Promise.all(Array.from({ length: 10 }, () => service().provision({ name: 'Same Name', type: 'company', plan: 'HOBBY', owner: person() })));
    const slugs = await slugsOf('Same Name');
    expect(new Set(slugs).size).toBe(10);
    expect(slugs.filter((slug) => !/^same-name(-[0-9a-f]{6})?$/.test(slug))).toEqual([]);
  });

  it.each([['Platform', /^platform-[0-9a-f]{6}$/], ['日本', /^organization/], ['x'.repeat(200), /^x{50}/], ['--!', /^organization/]])('derives a slug from %s', async (name, slug) => {
    await service().provision({ name, type: 'company', plan: 'HOBBY', owner: person() });
    expect((await slugsOf(name)).at(-1)).toMatch(slug);
  });

  it('takes a given slug or none', async () => {
    const slug = `given-${randomUUID().slice(0, 8)}`;
    await service().provision({ name: 'Given', slug, type: 'company', plan: 'HOBBY', owner: person() });
    await expect(service().provision({ name: 'Given', slug, type: 'company', plan: 'HOBBY', owner: person() })).rejects.toMatchObject({ code: 'organizations.slug_in_use' });
    for (const wrong of ['', 'Upper', '-x', 'x'.repeat(64), 'a b']) {
      await expect(service().provision({ name: 'Given', slug: wrong, type: 'company', plan: 'HOBBY', owner: person() })).rejects.toMatchObject({ kind: 'invalid_fields' });
    }
  });

  it('leaves nothing behind when the person\'s names are taken or wrong', async () => {
    const name = `Half made ${randomUUID().slice(0, 8)}`;
    const attempts = [[{ email: owner.email.toUpperCase() }, { code: 'users.email_in_use' }], [{ username: owner.id }, { code: 'users.username_in_use' }], [{ email: 'x' }, { kind: 'invalid_fields' }]] as const;
    for (const [over, refusal] of attempts) {
      await expect(service().provision({ name, type: 'company', plan: 'HOBBY', owner: { ...person(), ...over } })).rejects.toMatchObject(refusal);
    }
    await expect(service().provision({ name, type: 'company', plan: 'FREE', owner: person() })).rejects.toMatchObject({ kind: 'invalid_fields' });
    expect(await slugsOf(name)).toEqual([]);
  });

  it('joins the transaction of whoever asks', async () => {
    const name = `Joined ${randomUUID().slice(0, 8)}`;
    const doomed = shell().shell.container.db.run(async () => {
      await service().provision({ name, type: 'company', plan: 'HOBBY', owner: person() });
      throw new Error('the caller changes its mind');
    });
    await expect(doomed).rejects.toThrow('changes its mind');
    expect(await slugsOf(name)).toEqual([]);
  });

  it('is what registration does: whoever registers administers what they get', async () => {
    const username = `u${randomUUID().slice(0, 8)}`;
    const body = { email: `${username}@example.org`, username, password: 'a quite long password', firstName: 'Ann', lastName: 'Registered', plan: 'PRO' };
    const { data } = (await shell().as().post('/api/auth/register').send(body).expect(201)).body;
    const mine = (await shell().as(data.accessToken).get(path(data.user.organizationId)).expect(200)).body.data;
    expect(mine).toMatchObject({ name: 'Ann Registered', slug: 'ann-registered', subscriptionPlan: 'PRO', status: 'active', users: [{ id: data.user.id }] });
    await shell().as(data.accessToken).post('/api/roles').send({ name: 'Readers', permissions: ['USERS_READ'] }).expect(201);
    await shell().as(data.accessToken).delete(`/api/users/${data.user.id}`).expect(409);
  });

  it('gives one person to one organization when many ask at once', async () => {
    const [one, name] = [person(), `Once ${randomUUID().slice(0, 8)}`];
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => service().provision({ name, type: 'company', plan: 'HOBBY', owner: one })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await slugsOf(name)).toHaveLength(1);
  });
});
