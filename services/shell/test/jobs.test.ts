import { randomUUID } from 'node:crypto';
import { eventually } from '@satellite/kit/testing';
import { runJob } from './support/jobs.js';
import { personIn } from './support/people.js';
import { useShell, type TestShell } from './support/shell.js';

const PATIENCE = 30_000;
/** One series of a process, by its Prometheus text. */
async function metric(of: TestShell, series: string): Promise<number | undefined> {
  const text = await (await fetch(`${of.url}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(series));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

describe('scheduled jobs of two Shells', () => {
  const shell = useShell();

  it('make up for what was missed while none was there', async () => {
    await shell().query(`update scheduled_jobs set slot = now() - interval '3 hours', succeeded_at = null where name = 'housekeeping'`);
    const others = [await shell().second(), await shell().second()];
    await eventually(async () => (await shell().query(`select from scheduled_jobs where name = 'housekeeping' and succeeded_at is not null`)).length === 1, PATIENCE, 'the missed run');
    for (const other of others) await other.shell.container.scheduler.stop();
    const runs = await Promise.all(others.map((other) => metric(other, 'job_runs_total{job="housekeeping"')));
    expect(runs.sort()).toEqual([0, 1]);
    for (const other of others) await other.stop();
  }, 60_000);

  it('run once a slot, and both say what they did', async () => {
    await shell().query('create table claims (slot timestamptz not null)');
    await shell().query(`create function note_claim() returns trigger language plpgsql as $$ begin
      if new.name = 'local-payment.renew' and new.slot > old.slot then insert into claims values (new.slot); end if; return null; end $$`);
    await shell().shell.container.scheduler.stop(); // two others, so that every run since the trigger is counted from 0
    await shell().query(`create trigger note_claim after update on scheduled_jobs for each row execute function note_claim()`);
    const others = [await shell().second(), await shell().second()];
    const claims = () => shell().query<{ slot: string }>('select slot from claims');
    await eventually(async () => (await claims()).length >= 3, PATIENCE, 'three slots');
    for (const other of others) await other.shell.container.scheduler.stop();
    const slots = (await claims()).map(({ slot }) => slot);
    expect(new Set(slots).size).toBe(slots.length);
    const runs = await Promise.all(others.map((other) => metric(other, 'job_runs_total{job="local-payment.renew"')));
    expect((runs[0] ?? 0) + (runs[1] ?? 0)).toBe(slots.length);
    for (const other of others) {
      expect(await metric(other, 'job_failures_total{job="local-payment.renew"')).toBe(0);
      await other.stop();
    }
  }, 60_000);
});

describe('housekeeping', () => {
  const shell = useShell();
  const old = `now() - interval '100 days'`;
  const left = async (table: string, column = 'id'): Promise<string[]> => (await shell().query<{ name: string }>(`select ${column} as name from ${table} where ${column}::text like '%keep%' or ${column}::text like '%drop%' order by 1`)).map(({ name }) => name);

  it('removes what has run out in every table, and nothing else', async () => {
    const { id: organizationId } = await shell().organization();
    const person = await personIn(shell(), organizationId);
    await shell().query(`insert into revocations (seq, kind, subject, issued_before, expires_at) values (900001, 'user', 'drop', now(), now() - interval '1 second'), (900002, 'user', 'keep', now(), now() + interval '1 hour')`);
    await shell().query(`insert into idempotency_keys (organization_id, actor_id, key, fingerprint, answer, created_at, expires_at) values (?, 'a', 'drop', '', '{}', now(), now()), (?, 'a', 'keep', '', '{}', now(), now() + interval '1 hour')`, [organizationId, organizationId]);
    await shell().query(`insert into plan_limits (plan_id, limit_key, limit_value, period) select id, 'keep.bytes', 5, 'total' from plans where code = 'PRO'`);
    await shell().query(
      `insert into usage_counters (organization_id, limit_key, used, window_start) values (?, 'drop.calls', 1, ${old}), (?, 'keep.calls', 1, date_trunc('month', now(), 'UTC')), (?, 'keep.bytes', 1, ${old}), (?, 'keep.total', 1, '-infinity')`,
      [organizationId, organizationId, organizationId, organizationId],
    );
    await shell().query(`insert into mail_outbox (id, recipient, subject, body, status, created_at, sent_at) values (gen_random_uuid(), 'drop@x', '', '', 'done', ${old}, now()), (gen_random_uuid(), 'drop-dead@x', '', '', 'dead', ${old}, null), (gen_random_uuid(), 'keep@x', '', '', 'done', now(), now())`);
    await shell().query(`insert into password_links (id, user_id, purpose, token_hash, email, created_at, expires_at, used_at) values (gen_random_uuid(), ?, 'reset', 'drop', '', ${old}, ${old}, null), (gen_random_uuid(), ?, 'reset', 'keep', '', ${old}, ${old}, now())`, [person.id, person.id]);
    await shell().query(
      `insert into payment_events (id, processor, type, created_at, payload, status, next_attempt_at, received_at, processed_at) values ('drop', 'local', 't', ${old}, '{}', 'done', now(), ${old}, ${old}), ('keep-dead', 'local', 't', ${old}, '{}', 'dead', now(), ${old}, null), ('keep', 'local', 't', ${old}, '{}', 'done', now(), now(), now())`,
    );
    await shell().query(`insert into payment_tasks (id, organization_id, kind, subscription_id, status, next_attempt_at, created_at) values (gen_random_uuid(), ?, 'go_on', 'drop', 'done', now(), ${old}), (gen_random_uuid(), ?, 'go_on', 'keep', 'dead', now(), ${old})`, [organizationId, organizationId]);
    await shell().query(`insert into local_payment_objects (id, kind, data, created_at) values ('drop', 'checkout', '{}', ${old}), ('keep', 'subscription', '{}', ${old}), ('keep-new', 'checkout', '{}', now())`);
    await runJob(shell(), 'housekeeping');
    expect(await left('revocations', 'subject')).toEqual(['keep']);
    expect(await left('idempotency_keys', 'key')).toEqual(['keep']);
    expect(await left('usage_counters', 'limit_key')).toEqual(['keep.bytes', 'keep.calls', 'keep.total']);
    expect(await left('mail_outbox', 'recipient')).toEqual(['keep@x']);
    expect(await left('password_links', 'token_hash').then((hashes) => hashes.map((hash) => hash.trim()))).toEqual(['keep']);
    expect(await left('payment_events')).toEqual(['keep', 'keep-dead']);
    expect(await left('payment_tasks', 'subscription_id')).toEqual(['keep']);
    expect(await left('local_payment_objects')).toEqual(['keep', 'keep-new']);
    expect(await metric(shell(), 'job_rows_total{job="housekeeping"')).toBeGreaterThanOrEqual(9);
    expect(Math.abs(Date.now() / 1000 - ((await metric(shell(), 'job_last_success_timestamp_seconds{job="housekeeping"')) ?? 0))).toBeLessThan(600);
  });

  it('forgets removed apps, and a cache that has not heard of them is built anew', async () => {
    const { redis } = shell();
    const admin = await (await shell().organization()).member(['apps:write', 'apps:delete']);
    const slug = `app-${randomUUID().slice(0, 8)}`;
    const { body } = await shell().as(admin).post('/api/admin/apps').send({ slug, name: slug, type: 'satellite', apiUrl: `/${slug}/api` }).expect(201);
    await eventually(async () => (await redis.hget('shell:registry:2', `app:${slug}`)) !== null, PATIENCE, 'the cached entry');
    const backup = await redis.hgetall('shell:registry:2');
    await shell().as(admin).delete(`/api/admin/apps/${body.data.id}`).expect(204);
    await shell().query(`update app_removals set removed_at = now() - interval '31 days' where slug = ?`, [slug]);
    await runJob(shell(), 'apps.forget-removals');
    expect(await shell().query('select from app_removals where slug = ?', [slug])).toEqual([]);
    await redis.del('shell:registry:2');
    await redis.hset('shell:registry:2', backup);
    await eventually(async () => (await redis.hget('shell:registry:2', `app:${slug}`)) === null && (await redis.hget('shell:registry:2', 'revision')) !== null, PATIENCE, 'the cache rebuilt');
    const feed = await shell().as().get('/api/config/apps').expect(200);
    expect(JSON.stringify(feed.body)).not.toContain(slug);
  });
});
