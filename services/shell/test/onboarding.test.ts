import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { eventually } from '@satellite/kit/testing';
import { registeredApp } from './support/gateway.js';
import { runJob } from './support/jobs.js';
import { personIn, platformOf, type Person } from './support/people.js';
import { planWith } from './support/plans.js';
import { useShell, type TestShell } from './support/shell.js';

const PATIENCE = 15_000;
const shell = useShell();
let chief: Person;
beforeAll(async () => {
  chief = await personIn(shell(), await platformOf(shell()), { systemRole: 'SUPER_ADMIN' });
});

const application = (over: object = {}) => ({
  orgName: `Acme ${randomUUID().slice(0, 8)}`, orgType: 'company', contactEmail: 'office@acme.example', firstName: 'Ann', lastName: 'Example', applicantEmail: `ann.${randomUUID().slice(0, 8)}@acme.example`, companySize: 120, ssoInterest: true, ...over,
});
const submit = (body: object) => shell().as().post('/api/onboarding').send(body);
async function pending(over: object = {}): Promise<{ id: string; applicantEmail: string; orgName: string }> {
  const body = application(over);
  return { ...body, id: (await submit(body).expect(201)).body.data.id };
}
const read = async (id: string) => (await shell().as(chief.token).get(`/api/onboarding/${id}`).expect(200)).body.data;
const approve = (id: string, body: object = {}, by = chief) => shell().as(by.token).put(`/api/onboarding/${id}/approve`).send(body);
const reject = (id: string, reason: unknown = 'No such company', by = chief) => shell().as(by.token).put(`/api/onboarding/${id}/reject`).send({ reason });
/** Everything that an approval makes, counted by the applicant's address. */
async function made(email: string): Promise<{ users: number; organizations: number; mails: number; links: number }> {
  const [row] = await shell().query<{ users: string; organizations: string; mails: string; links: string }>(
    `select count(*) as users, count(distinct o.id) as organizations, (select count(*) from mail_outbox m where m.recipient = ?) as mails, (select count(*) from password_links l where l.email = ?) as links
     from users u join organizations o on o.id = u.organization_id where u.email = ?`,
    [email, email, email],
  );
  return { users: Number(row?.users), organizations: Number(row?.organizations), mails: Number(row?.mails), links: Number(row?.links) };
}
const NOTHING = { users: 0, organizations: 0, mails: 0, links: 0 };
const ONCE = { users: 1, organizations: 1, mails: 1, links: 1 };

describe('a request', () => {
  it.each<[string, object]>([
    ['without a name', { orgName: undefined }], ['with a blank name', { orgName: ' ' }], ['with a name of 201 letters', { orgName: 'x'.repeat(201) }], ['with a line break in a name', { firstName: 'Ann\nBcc: x@y.z' }],
    ['to nobody', { applicantEmail: 'ann' }], ['to two people', { applicantEmail: 'ann@acme.example, eve@evil.example' }], ['with a contact that is none', { contactEmail: '@' }], ['with a telephone that is none', { contactPhone: 'call me' }],
    ['of nobody', { companySize: 0 }], ['of half a person', { companySize: 1.5 }], ['of too many', { companySize: 1e12 }], ['of a word', { companySize: '120' }], ['that does not say whether', { ssoInterest: undefined }], ['that says perhaps', { ssoInterest: 'yes' }],
    ['with a plan that is a sentence', { subscriptionPlan: 'the best one' }], ['with a role', { role: 'SUPER_ADMIN' }], ['with roles', { roles: ['SUPER_ADMIN'] }], ['with an organization', { organizationId: randomUUID() }], ['that is approved already', { status: 'approved' }], ['with a NUL', { orgName: 'a\0b' }],
  ])('is refused %s', async (_what, over) => {
    const body = application(over);
    expect((await submit(body).expect(400)).body.error.code).toBe('VALIDATION_ERROR');
    expect(await shell().query('select from onboarding_requests where applicant_email = ?', [String(body.applicantEmail)])).toEqual([]);
  });

  it('waits, and is not answered differently for who has an account', async () => {
    const body = application({ contactPhone: '+49 30 123456', subscriptionPlan: 'PRO' });
    const fresh = await submit(body).expect(201);
    expect(fresh.body.data).toEqual({ id: expect.any(String), status: 'pending' });
    expect(await read(fresh.body.data.id)).toMatchObject({ ...body, status: 'pending', reason: null, organizationId: null, userId: null, decidedBy: null, version: 1 });
    const known = await submit(application({ applicantEmail: chief.email })).expect(201);
    expect(Object.keys(known.body.data)).toEqual(Object.keys(fresh.body.data));
    expect(known.body.message).toBe(fresh.body.message);
    expect(await made(body.applicantEmail)).toEqual(NOTHING); // and no mail to strangers
  });

  it('waits once for an applicant, whatever the case, however many come at once, and the first one counts', async () => {
    const first = await pending({ orgName: 'First' });
    const again = application({ applicantEmail: first.applicantEmail.toUpperCase(), orgName: 'Second' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit(again)));
    for (const { status, body } of answers) expect([status, body.data]).toEqual([201, { id: first.id, status: 'pending' }]);
    expect(await shell().query('select org_name as name from onboarding_requests where lower(applicant_email) = ?', [first.applicantEmail])).toEqual([{ name: 'First' }]);
    const racers = application();
    const ids = await Promise.all(Array.from({ length: 10 }, () => submit(racers)));
    expect(new Set(ids.map(({ body }) => body.data.id)).size).toBe(1);
  });

  it('can come again after a rejection', async () => {
    const first = await pending();
    await reject(first.id).expect(200);
    const { body } = await submit(application({ applicantEmail: first.applicantEmail })).expect(201);
    expect(body.data.id).not.toBe(first.id);
  });
});

describe('requests of one address', () => {
  const limited = useShell({ APP_ENV_LIMIT_ONBOARDING_PER_MINUTE: '2' });

  it('are limited, whatever the client says its address is', async () => {
    const statuses = [];
    for (let n = 0; n < 10; n += 1) statuses.push((await limited().as().post('/api/onboarding').set('x-forwarded-for', `203.0.113.${n}`).send(application())).status);
    expect(statuses.slice(0, 2)).toEqual([201, 201]);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(6); // a minute may end meanwhile
  });
});

describe('the list', () => {
  it('is for those who may see it', async () => {
    const owner = await personIn(shell(), (await shell().organization()).id, { systemRole: 'ADMIN' });
    const { id } = await pending();
    await shell().as(owner.token).get('/api/onboarding').expect(403);
    await shell().as(owner.token).get(`/api/onboarding/${id}`).expect(403);
    await approve(id, {}, owner).expect(403);
    await reject(id, 'no', owner).expect(403);
    expect(await read(id)).toMatchObject({ status: 'pending' });
  });

  it('filters, sorts and pages as other lists do', async () => {
    const tag = `Listed ${randomUUID().slice(0, 8)}`;
    for (const companySize of [5, 50, 500]) await pending({ orgName: `${tag} ${companySize}`, companySize, ssoInterest: companySize > 5 });
    const list = async (query: object) => (await shell().as(chief.token).get('/api/onboarding').query(query).expect(200)).body;
    const mine = (more: object = {}) => JSON.stringify({ orgName: { startsWith: tag }, ...more });
    const sizes = (body: { data: { companySize: number }[] }) => body.data.map(({ companySize }) => companySize);
    expect(sizes(await list({ filter: mine() }))).toEqual([500, 50, 5]); // the latest first
    expect(sizes(await list({ filter: mine({ companySize: { gte: 50 } }), sort: 'companySize' }))).toEqual([50, 500]);
    expect(sizes(await list({ filter: mine({ ssoInterest: false, status: 'pending' }) }))).toEqual([5]);
    const page = await list({ filter: mine(), sort: 'companySize', page: 2, limit: 2 });
    expect([sizes(page), page.pagination]).toEqual([[500], { page: 2, limit: 2, total: 3 }]);
    for (const query of [{ filter: '{"secret":1}' }, { filter: '{"status":"lost"}' }, { sort: 'reason' }, { limit: 101 }, { q: 'x' }]) await shell().as(chief.token).get('/api/onboarding').query(query).expect(400);
  });

  it('answers 404 for what does not exist', async () => {
    await shell().as(chief.token).get(`/api/onboarding/${randomUUID()}`).expect(404);
    await approve(randomUUID()).expect(404);
    await reject(randomUUID()).expect(404);
  });
});

describe('an approval', () => {
  it('makes the organization, its administrator, the invitation and the plan', async () => {
    const request = await pending({ subscriptionPlan: 'PRO' });
    const { data } = (await approve(request.id).expect(200)).body;
    expect(data).toMatchObject({ id: request.id, status: 'approved', decidedBy: chief.id, organizationId: expect.any(String), userId: expect.any(String), version: 2 });
    expect(await made(request.applicantEmail)).toEqual(ONCE);
    const organization = (await shell().as(chief.token).get(`/api/organizations/${data.organizationId}`).expect(200)).body.data;
    expect(organization).toMatchObject({ name: request.orgName, type: 'company', status: 'active', subscriptionPlan: 'PRO', users: [{ id: data.userId, email: request.applicantEmail, firstName: 'Ann', status: 'active' }] });
    const roles = await shell().query('select r.name from user_roles g join roles r on r.id = g.role_id where g.user_id = ?', [data.userId]);
    expect(roles).toEqual([{ name: 'ADMIN' }]);
    expect(await subscription(data.organizationId)).toMatchObject({ status: 'trial', code: 'PRO' }); // nobody gets for nothing what others pay for
    await eventually(async () => (await shell().query(`select from mail_outbox where recipient = ? and status = 'done'`, [request.applicantEmail])).length === 1, PATIENCE, 'the invitation sent');
    const token = await invitationFor(shell(), request.applicantEmail);
    await shell().as().post('/api/auth/confirm-password-reset').send({ token, newPassword: 'a password of the applicant' }).expect(204);
    await shell().as().post('/api/auth/local-login').send({ usernameOrEmail: request.applicantEmail, password: 'a password of the applicant' }).expect(200);
  });

  it('gives the free plan to who asked for none, and the plan that the approver names', async () => {
    const [none, given] = [await pending(), await pending({ subscriptionPlan: 'PRO' })];
    const hidden = await planWith(shell(), { monthlyPrice: 77, status: 'hidden' });
    expect(await subscription((await approve(none.id).expect(200)).body.data.organizationId)).toMatchObject({ status: 'active', code: 'HOBBY' });
    expect(await subscription((await approve(given.id, { planCode: hidden }).expect(200)).body.data.organizationId)).toMatchObject({ status: 'active', code: hidden });
  });

  it('switches on the apps that the approver names', async () => {
    const app = await registeredApp(shell(), { organizations: { all: false, slugs: [] } });
    const request = await pending();
    const { organizationId } = (await approve(request.id, { appIds: [app.id, app.id] }).expect(200)).body.data;
    expect(await shell().query('select enabled from app_organizations where app_id = ? and organization_id = ?', [app.id, organizationId])).toEqual([{ enabled: true }]);
  });

  it.each<[string, () => Promise<object>, object, number, string]>([
    ['of a plan that was asked for and is not on offer', async () => ({ subscriptionPlan: await planWith(shell(), { status: 'hidden' }) }), {}, 409, 'onboarding.plan_not_offered'],
    ['of a plan that was asked for and does not exist', async () => ({ subscriptionPlan: 'NOPE' }), {}, 409, 'onboarding.plan_not_offered'],
    ['of a plan that does not exist', async () => ({}), { planCode: 'NOPE' }, 400, 'request.invalid_fields'],
    ['of apps that do not exist', async () => ({}), { appIds: [randomUUID()] }, 400, 'request.invalid_fields'],
    ['for who has an account', async () => ({ applicantEmail: chief.email.toUpperCase() }), {}, 409, 'onboarding.email_in_use'],
    ['with a role', async () => ({}), { role: 'SUPER_ADMIN' }, 400, 'request.invalid_fields'],
  ])('is refused %s, and leaves nothing behind', async (_what, given, body, status, reason) => {
    await shell().query(`delete from onboarding_requests where lower(applicant_email) = lower(?)`, [chief.email]);
    const request = await pending(await given());
    const organizations = await shell().query('select id from organizations order by id');
    const { error } = (await approve(request.id, body).expect(status)).body;
    expect(error.details.reason).toBe(reason);
    expect(await shell().query('select id from organizations order by id')).toEqual(organizations);
    expect(await read(request.id)).toMatchObject({ status: 'pending', version: 1 });
  });

  it('leaves nothing behind when a step fails in the middle', async () => {
    const request = await pending();
    await shell().query(`create function break_mail() returns trigger language plpgsql as $$ begin if new.recipient = '${request.applicantEmail}' then raise exception 'no mail today'; end if; return new; end $$`);
    await shell().query('create trigger break_mail before insert on mail_outbox for each row execute function break_mail()');
    expect((await approve(request.id).expect(500)).body.error.message).not.toContain('no mail');
    expect(await made(request.applicantEmail)).toEqual(NOTHING);
    expect(await read(request.id)).toMatchObject({ status: 'pending', organizationId: null });
    await shell().query('drop trigger break_mail on mail_outbox');
    await approve(request.id).expect(200);
    expect(await made(request.applicantEmail)).toEqual(ONCE);
  });

  it('happens once, however often it is pressed at once and afterwards, by two Shells', async () => {
    const other = await shell().second();
    const request = await pending();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? shell() : other).as(chief.token).put(`/api/onboarding/${request.id}/approve`).send({})));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.data.organizationId)).size).toBe(1);
    expect((await approve(request.id, { planCode: 'ENTERPRISE' }).expect(200)).body.data).toEqual(answers[0]?.body.data);
    expect(await made(request.applicantEmail)).toEqual(ONCE);
    expect(await shell().query(`select from audit_entries where action = 'onboarding.approve' and target_id = ? and outcome = 'success'`, [request.id])).toHaveLength(1);
    await other.stop();
  });

  it('sends the invitation although the process dies right after the commit', async () => {
    const dying = await shell().second();
    for (const one of [dying, shell()]) await one.shell.container.mail.stop(); // nobody is left to send anything
    const request = await pending();
    await dying.as(chief.token).put(`/api/onboarding/${request.id}/approve`).send({}).expect(200);
    await dying.stop();
    expect(await shell().query('select status from mail_outbox where recipient = ?', [request.applicantEmail])).toEqual([{ status: 'pending' }]);
    const next = await shell().second();
    await eventually(async () => (await shell().query(`select from mail_outbox where recipient = ? and status = 'done'`, [request.applicantEmail])).length === 1, PATIENCE, 'the invitation sent');
    expect(await invitationFor(next, request.applicantEmail)).toMatch(/^[\w-]{20,}$/);
    await next.stop();
  });

  it('gives applicants of one name a user name each', async () => {
    const requests = [];
    for (let n = 0; n < 4; n += 1) requests.push(await pending({ applicantEmail: `-.same@${randomUUID().slice(0, 8)}.example` }));
    const answers = await Promise.all(requests.map(({ id }) => approve(id)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const names = await shell().query<{ username: string }>(`select username from users where email like '-.same@%'`);
    expect(new Set(names.map(({ username }) => username.toLowerCase())).size).toBe(4);
    for (const { username } of names) expect(username).toMatch(/^same(-[0-9a-f]{8})?$/);
  });
});

describe('a decision', () => {
  it('is final', async () => {
    const [approved, rejected] = [await pending(), await pending()];
    await approve(approved.id).expect(200);
    expect((await reject(approved.id).expect(409)).body.error.details).toMatchObject({ reason: 'onboarding.already_decided', status: 'approved' });
    const { data } = (await reject(rejected.id, 'We do not know you').expect(200)).body;
    expect(data).toMatchObject({ status: 'rejected', reason: 'We do not know you', decidedBy: chief.id, decidedAt: expect.any(String) });
    expect((await approve(rejected.id).expect(409)).body.error.details).toMatchObject({ reason: 'onboarding.already_decided', status: 'rejected' });
    expect((await reject(rejected.id, 'Another reason').expect(409)).body.error.details.status).toBe('rejected');
    expect(await read(rejected.id)).toEqual(data);
    expect(await made(rejected.applicantEmail)).toEqual(NOTHING);
  });

  it('is one of the two when both come at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const request = await pending();
      const [yes, no] = await Promise.all([approve(request.id), reject(request.id)]);
      expect([yes?.status, no?.status].sort()).toEqual([200, 409]);
      expect(await made(request.applicantEmail)).toEqual(yes?.status === 200 ? ONCE : NOTHING);
    }
  });

  it.each([undefined, '', ' ', 'x'.repeat(1001), 7, null, 'a\0b'])('needs a reason to reject: not %j', async (reason) => {
    const { id } = await pending();
    await shell().as(chief.token).put(`/api/onboarding/${id}/reject`).send({ reason }).expect(400);
    expect(await read(id)).toMatchObject({ status: 'pending' });
  });

  it('is refused to who has seen another version', async () => {
    const { id } = await pending();
    expect((await shell().as(chief.token).get(`/api/onboarding/${id}`)).headers['etag']).toBe('"1"');
    await approve(id).set('if-match', '"7"').expect(412);
    await reject(id).set('if-match', '"7"').expect(412);
    await reject(id).set('if-match', '"1"').expect(200);
  });
});

describe('housekeeping', () => {
  it('forgets people who did not become customers, after a year', async () => {
    const [waiting, forgotten, rejected, approved] = [await pending(), await pending(), await pending(), await pending()];
    await reject(rejected.id).expect(200);
    await approve(approved.id).expect(200);
    const ids = [forgotten, rejected, approved].map(({ id }) => id);
    await shell().query(`update onboarding_requests set created_at = now() - interval '366 days', decided_at = decided_at - interval '366 days' where id = any(?::uuid[])`, [ids]);
    await runJob(shell(), 'housekeeping');
    const left = await shell().query<{ id: string }>('select id from onboarding_requests where id = any(?::uuid[])', [[waiting.id, ...ids]]);
    expect(left.map(({ id }) => id).sort()).toEqual([waiting.id, approved.id].sort());
  });
});

async function subscription(organizationId: string): Promise<unknown> {
  return (await shell().query(`select s.status, p.code from subscriptions s join plans p on p.id = s.plan_id where s.organization_id = ? and s.status <> 'expired'`, [organizationId]))[0];
}

/** The token in the invitation that lies in the outbox folder of whichever Shell has sent it. */
async function invitationFor(sender: TestShell, address: string): Promise<string> {
  const { outbox } = sender.shell.container.config.mail;
  const names = (await readdir(outbox)).filter((name) => !name.startsWith('.'));
  const mails = await Promise.all(names.map((name) => readFile(`${outbox}/${name}`, 'utf8')));
  const mine = mails.filter((mail) => mail.includes(`To: ${address}`)).map((mail) => mail.replace(/=\r?\n/g, '').replace(/=3D/g, '='));
  expect(mine).toHaveLength(1);
  return /token=([\w-]+)/.exec(mine[0] ?? '')?.[1] ?? '';
}
