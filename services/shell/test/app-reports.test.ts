import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, type Client } from '@connectrpc/connect';
import { Change, type AppRegistry, type AppReportSchema } from '@satellite/proto/registry/v1';
import { eventually } from '@satellite/kit/testing';
import { app, codeOf, operatorRegistry, source } from './support/registry.js';
import { useShell } from './support/shell.js';

const shell = useShell();
let registry: Client<typeof AppRegistry>;
let admin: string;
beforeAll(async () => {
  registry = await operatorRegistry(shell());
  admin = await (await shell().organization()).member(['apps:read', 'apps:write', 'apps:delete', 'apps:list']);
});

const condition = (type: string, over: object = {}) => ({ type, status: 'True', reason: 'Fine', message: `${type} is fine.`, lastTransitionTime: '2026-01-02T03:04:05Z', observedGeneration: 1n, ...over });
const report = (over: MessageInitShape<typeof AppReportSchema> = {}) => ({ digest: randomUUID(), conditions: [condition('Ready'), condition('Registered')], observedGeneration: 1n, observedVersion: '1.0.0', degraded: false, ...over }) as MessageInitShape<typeof AppReportSchema>;
const registered = async (over = {}) => {
  const [desired, from] = [app(over), source()];
  const { id, revision } = await registry.applyApp({ app: desired, source: from });
  return { id, revision, desired, from, slug: desired.slug };
};
const shown = async (id: string) => (await shell().as(admin).get(`/api/admin/apps/${id}`).expect(200)).body.data;
const inFeed = async (slug: string) => (await shell().as().get('/api/config/apps').expect(200)).body.data.find((one: { slug: string }) => one.slug === slug);

describe('a report of the operator', () => {
  it('is refused about entries of others, and about none', async () => {
    const { slug, from } = await registered();
    const byHand = app();
    await shell().as(admin).post('/api/admin/apps').send({ slug: byHand.slug, name: 'By hand', type: 'satellite', apiUrl: '/x/api' }).expect(201);
    expect((await codeOf(registry.reportApp({ slug: 'nobody', source: from, report: report() })))[0]).toBe(Code.NotFound);
    expect((await codeOf(registry.reportApp({ slug, source: source(), report: report() })))[0]).toBe(Code.AlreadyExists);
    expect((await codeOf(registry.reportApp({ slug: byHand.slug, source: from, report: report() })))[0]).toBe(Code.FailedPrecondition);
    expect((await codeOf(registry.getApiBaseline({ slug, source: source() })))[0]).toBe(Code.AlreadyExists);
    await registry.applyApp({ app: { ...byHand, slug, apiUrl: `/${slug}/api` }, source: { ...from, generation: 3n } });
    expect((await codeOf(registry.reportApp({ slug, source: { ...from, generation: 2n }, report: report() })))[0]).toBe(Code.FailedPrecondition);
  });

  it.each([
    ['no digest', { digest: '' }, 'report.digest'],
    ['a status nobody knows', { conditions: [condition('Ready', { status: 'Maybe' })] }, 'report.conditions.0.status: must be one of True, False, Unknown'],
    ['a time that is none', { conditions: [condition('Ready', { lastTransitionTime: 'yesterday' })] }, 'report.conditions.0.lastTransitionTime'],
    ['a type twice', { conditions: [condition('Ready'), condition('Ready')] }, 'must not name a type twice'],
    ['NUL characters', { conditions: [condition('Ready', { message: 'a\u0000b' })] }, 'NUL'],
    ['no generation', { observedGeneration: 0n }, 'report.observedGeneration'],
    ['too many conditions', { conditions: Array.from({ length: 33 }, (_, at) => condition(`T${at}`)) }, 'report.conditions'],
  ])('is refused with %s', async (_what, over, message) => {
    const { id, slug, from } = await registered();
    const [code, said] = await codeOf(registry.reportApp({ slug, source: from, report: report(over) }));
    expect([code, said]).toEqual([Code.InvalidArgument, expect.stringContaining(message)]);
    expect((await shown(id)).report).toBeNull();
  });

  it('is refused with an API description that is too large', async () => {
    const { slug, from } = await registered();
    const content = new Uint8Array(512 * 1024 + 1);
    expect((await codeOf(registry.reportApp({ slug, source: from, report: report(), api: { digest: 'd', content } })))[0]).toBe(Code.InvalidArgument);
  });

  it('is shown to administrators, and null where nobody reports', async () => {
    const { id, slug, from } = await registered();
    expect(await shown(id)).toMatchObject({ report: null, status: 'active', effectiveStatus: 'active' });
    const conditions = [condition('Ready'), condition('UIReachable', { status: 'False', reason: 'UIUnreachable', message: 'Nobody answers.' })];
    expect(await registry.reportApp({ slug, source: from, report: report({ conditions }) })).toMatchObject({ written: true });
    const { report: kept } = await shown(id);
    expect(kept).toEqual({
      observedGeneration: 1, observedVersion: '1.0.0', degraded: false, degradedSince: null, reportedAt: expect.any(String),
      conditions: [
        { type: 'Ready', status: 'True', reason: 'Fine', message: 'Ready is fine.', lastTransitionTime: '2026-01-02T03:04:05.000Z' },
        { type: 'UIReachable', status: 'False', reason: 'UIUnreachable', message: 'Nobody answers.', lastTransitionTime: '2026-01-02T03:04:05.000Z' },
      ],
    });
    const { body } = await shell().as(admin).get(`/api/admin/apps?filter=${encodeURIComponent(JSON.stringify({ slug }))}`).expect(200);
    expect(body.data).toMatchObject([{ slug, report: kept }]);
  });

  it('writes nothing when the Shell holds it, and its digest comes with every answer to an apply', async () => {
    const { id, revision, slug, desired, from } = await registered();
    expect(await registry.applyApp({ app: desired, source: from })).toMatchObject({ reportDigest: '' });
    const first = report();
    expect(await registry.reportApp({ slug, source: from, report: first })).toMatchObject({ written: true, revision });
    const { report: kept } = await shown(id);
    expect(await registry.reportApp({ slug, source: from, report: { ...first, conditions: [condition('Ready', { lastTransitionTime: '2026-02-02T02:02:02Z' })] } as typeof first })).toMatchObject({ written: false, revision });
    expect((await shown(id)).report).toEqual(kept);
    expect(await registry.applyApp({ app: desired, source: from })).toMatchObject({ change: Change.UNCHANGED, revision, reportDigest: first.digest });
    expect(await registry.planApp({ app: desired, source: from })).toMatchObject({ reportDigest: first.digest });
    expect(await registry.applyApp({ app: { ...desired, name: 'Other' }, source: { ...from, generation: 2n } })).toMatchObject({ change: Change.UPDATED, reportDigest: first.digest });
  });

  it('is refused when the entry changes hands after it was looked at', async () => {
    const { id, slug, from } = await registered();
    const { db } = shell().shell.container;
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let begun: () => void = () => undefined;
    const locked = new Promise<void>((resolve) => (begun = resolve));
    const handOver = db.run(async () => {
      await db.query("update apps set managed_by = 'api' where id = ?", [id]);
      begun();
      await finished;
    });
    await locked;
    const refusal = codeOf(registry.reportApp({ slug, source: from, report: report() }));
    const waits = async () => (await shell().query("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%app_reports as kept%'")).length > 0;
    await eventually(waits, 20_000, 'the report waiting for the entry').finally(finish);
    await handOver;
    expect((await refusal)[0]).toBe(Code.FailedPrecondition);
    expect((await shown(id)).report).toBeNull();
  });

  it('goes with its entry, and when the entry is given up', async () => {
    const [gone, orphan] = [await registered(), await registered()];
    for (const { slug, from } of [gone, orphan]) await registry.reportApp({ slug, source: from, report: report({ degraded: true }), api: { digest: 'd', content: new Uint8Array([1]) } });
    await registry.removeApp({ slug: gone.slug, source: gone.from });
    await registry.removeApp({ slug: orphan.slug, source: orphan.from, orphan: true });
    expect(await shell().query('select from app_reports where app_id = any(?::uuid[])', [[gone.id, orphan.id]])).toEqual([]);
    expect(await shell().query('select from app_api_baselines where app_id = any(?::uuid[])', [[gone.id, orphan.id]])).toEqual([]);
    expect(await shown(orphan.id)).toMatchObject({ report: null, effectiveStatus: 'active', managedBy: 'api', source: null });
    expect(await inFeed(orphan.slug)).toMatchObject({ status: 'active' });
  });

  it('keeps the API description that the next one is compared with', async () => {
    const { slug, from } = await registered();
    expect((await registry.getApiBaseline({ slug, source: from })).api).toMatchObject({ digest: '', version: '' });
    const api = { digest: 'sha256:1', version: '1.0.0', content: new Uint8Array([0, 255, 7]) };
    const first = report();
    expect(await registry.reportApp({ slug, source: from, report: first, api })).toMatchObject({ written: true });
    expect((await registry.getApiBaseline({ slug, source: from })).api).toMatchObject(api);
    expect(await registry.reportApp({ slug, source: from, report: first, api })).toMatchObject({ written: false });
    expect(await registry.reportApp({ slug, source: from, report: first, api: { ...api, digest: 'sha256:2', version: '' } })).toMatchObject({ written: true });
    expect((await registry.getApiBaseline({ slug, source: from })).api).toMatchObject({ digest: 'sha256:2', version: '' });
  });
});

describe('an app that the operator reports as degraded', () => {
  it('stays in the launchpad and is marked there at once; its own status, and drift, know nothing of it', async () => {
    const { id, revision, slug, desired, from } = await registered();
    expect(await inFeed(slug)).toMatchObject({ status: 'active' });
    const turned = await registry.reportApp({ slug, source: from, report: report({ degraded: true }) });
    expect(turned.revision).toBeGreaterThan(revision);
    expect(turned.cachedRevision).toBeGreaterThanOrEqual(turned.revision);
    expect(await inFeed(slug)).toMatchObject({ slug, status: 'degraded' });
    const view = await shown(id);
    expect(view).toMatchObject({ status: 'active', effectiveStatus: 'degraded', report: { degraded: true, degradedSince: expect.any(String) } });
    expect(await registry.applyApp({ app: desired, source: from })).toMatchObject({ change: Change.UNCHANGED, drifted: false, revision: turned.revision });
    // since when it is degraded stays, whatever else is reported
    await registry.reportApp({ slug, source: from, report: report({ degraded: true, observedVersion: '' }) });
    expect((await shown(id)).report).toMatchObject({ degradedSince: view.report.degradedSince, observedVersion: null });
    await registry.reportApp({ slug, source: from, report: report() });
    expect(await shown(id)).toMatchObject({ effectiveStatus: 'active', report: { degraded: false, degradedSince: null } });
    expect(await inFeed(slug)).toMatchObject({ status: 'active' });
  });

  it('is not brought back by it when it is out of service', async () => {
    const { id, slug, from } = await registered({ status: 'maintenance' });
    await registry.reportApp({ slug, source: from, report: report({ degraded: true }) });
    expect(await shown(id)).toMatchObject({ status: 'maintenance', effectiveStatus: 'maintenance' });
    expect(await inFeed(slug)).toBeUndefined();
  });

  it('counts as degraded in the statistics', async () => {
    const person = await (await shell().organization()).member(['settings:read']);
    const counts = async () => (await shell().as(person).get('/api/admin/stats').expect(200)).body.data.apps as { active: number; degraded: number };
    const { slug, from } = await registered();
    const before = await counts();
    await registry.reportApp({ slug, source: from, report: report({ degraded: true }) });
    expect(await counts()).toMatchObject({ active: before.active - 1, degraded: before.degraded + 1 });
  });
});

describe('the installation of a source', () => {
  it('keeps apart objects of the same name in two clusters, however they came', async () => {
    const [desired, from] = [app(), source({ installation: 'cluster-1', deletionPolicy: 'Delete' })];
    const { id } = await registry.applyApp({ app: desired, source: from });
    const foreign = { ...from, uid: randomUUID(), installation: 'cluster-2' };
    expect(await codeOf(registry.applyApp({ app: desired, source: foreign }))).toEqual([Code.AlreadyExists, expect.stringContaining('of installation cluster-1')]);
    expect((await registry.removeApp({ slug: desired.slug, source: foreign })).change).toBe(Change.UNCHANGED);
    expect((await registry.applyApp({ app: desired, source: { ...from, uid: randomUUID() } })).id).toBe(id);
    expect(await shown(id)).toMatchObject({ source: { installation: 'cluster-1' } });
  });

  it('is what ListApps can be asked for', async () => {
    const [one, two] = [app(), app()];
    await registry.applyApp({ app: one, source: source({ installation: 'listed-1', deletionPolicy: 'Orphan' }) });
    await registry.applyApp({ app: two, source: source({ installation: 'listed-2' }) });
    const { apps } = await registry.listApps({ installation: 'listed-1' });
    expect(apps).toMatchObject([{ app: { slug: one.slug }, source: { installation: 'listed-1', deletionPolicy: 'Orphan' } }]);
  });

  it('is recorded when it becomes known, and stays when it is not said', async () => {
    const [desired, from] = [app(), source()];
    const { id, revision } = await registry.applyApp({ app: desired, source: from });
    const learnt = await registry.applyApp({ app: desired, source: { ...from, installation: 'late', deletionPolicy: 'Orphan' } });
    expect(learnt).toMatchObject({ change: Change.UNCHANGED, drifted: false });
    expect(learnt.revision).toBeGreaterThan(revision);
    expect(await registry.applyApp({ app: desired, source: from })).toMatchObject({ revision: learnt.revision });
    await registry.applyApp({ app: desired, source: { ...from, generation: 2n } });
    expect(await shown(id)).toMatchObject({ source: { installation: 'late', generation: 2 } });
    expect((await codeOf(registry.applyApp({ app: desired, source: { ...from, deletionPolicy: 'Burn' } })))[0]).toBe(Code.InvalidArgument);
  });
});

it('nothing is removed that was written after it was seen', async () => {
  const { slug, revision, desired, from } = await registered();
  const { revision: later } = await registry.applyApp({ app: { ...desired, name: 'Later' }, source: { ...from, generation: 2n } });
  expect((await registry.removeApp({ slug, source: from, ifRevision: revision })).change).toBe(Change.UNCHANGED);
  expect((await registry.removeApp({ slug, source: from, ifRevision: later })).change).toBe(Change.REMOVED);
});

it('a cache that lost one entry is made anew by the next apply, and every reader sees it', async () => {
  const { slug, desired, from, revision } = await registered();
  await shell().redis.hdel('shell:registry:2', `app:${slug}`);
  const healed = await registry.applyApp({ app: desired, source: from });
  expect(healed).toMatchObject({ change: Change.UNCHANGED, drifted: false });
  expect(healed.revision).toBeGreaterThan(revision);
  expect(healed.cachedRevision).toBeGreaterThanOrEqual(healed.revision);
  expect(await shell().redis.hget('shell:registry:2', `app:${slug}`)).toContain(slug);
  expect(await registry.applyApp({ app: desired, source: from })).toMatchObject({ revision: healed.revision });
});
