import { Code } from '@connectrpc/connect';
import { Change } from '@satellite/proto/registry/v1';
import { app, codeOf, report, source, REGISTRIES, useRegistry, type ConnectedRegistry } from './support/registries.js';

describe.each(REGISTRIES)('%s, of what it is told', (_name, open) => {
  const connected = useRegistry(open);
  let { registry } = {} as ConnectedRegistry;
  beforeAll(() => void ({ registry } = connected()));

  it('takes a report of the object that owns the entry, once', async () => {
    const [desired, from] = [app(), source()];
    expect(await codeOf(registry.reportApp({ slug: desired.slug, source: from, report: report() }))).toBe(Code.NotFound);
    const { revision } = await registry.applyApp({ app: desired, source: from });
    const first = report();
    expect(await codeOf(registry.reportApp({ slug: desired.slug, source: source(), report: first }))).toBe(Code.AlreadyExists);
    expect(await codeOf(registry.reportApp({ slug: desired.slug, source: from, report: { ...first, digest: '' } }))).toBe(Code.InvalidArgument);
    expect(await registry.reportApp({ slug: desired.slug, source: from, report: first })).toMatchObject({ written: true, revision });
    expect(await registry.reportApp({ slug: desired.slug, source: from, report: first })).toMatchObject({ written: false, revision });
    expect(await registry.applyApp({ app: desired, source: from })).toMatchObject({ change: Change.UNCHANGED, revision, reportDigest: first.digest });
    expect(await registry.planApp({ app: desired, source: from })).toMatchObject({ reportDigest: first.digest });
    await registry.removeApp({ slug: desired.slug, source: from });
    expect(await registry.applyApp({ app: desired, source: from })).toMatchObject({ change: Change.CREATED, reportDigest: '' });
    expect(await registry.applyApp({ app: desired, source: from })).toMatchObject({ reportDigest: '' });
  });

  it('takes no report of an entry that administrators manage, nor of an older generation', async () => {
    const [desired, from] = [app(), source({ generation: 4n })];
    await registry.applyApp({ app: desired, source: from });
    expect(await codeOf(registry.reportApp({ slug: desired.slug, source: { ...from, generation: 3n }, report: report() }))).toBe(Code.FailedPrecondition);
    await registry.removeApp({ slug: desired.slug, source: from, orphan: true });
    expect(await codeOf(registry.reportApp({ slug: desired.slug, source: from, report: report() }))).toBe(Code.FailedPrecondition);
  });

  it('numbers it when an app becomes degraded, or well again, and calls it no drift', async () => {
    const [desired, from] = [app(), source()];
    const { revision } = await registry.applyApp({ app: desired, source: from });
    const turned = await registry.reportApp({ slug: desired.slug, source: from, report: report({ degraded: true }) });
    expect(turned.revision).toBeGreaterThan(revision);
    expect(turned.cachedRevision).toBeGreaterThanOrEqual(turned.revision);
    expect(await registry.reportApp({ slug: desired.slug, source: from, report: report({ degraded: true }) })).toMatchObject({ written: true, revision: turned.revision });
    expect(await registry.applyApp({ app: desired, source: from })).toMatchObject({ change: Change.UNCHANGED, drifted: false, revision: turned.revision });
    expect((await registry.reportApp({ slug: desired.slug, source: from, report: report() })).revision).toBeGreaterThan(turned.revision);
  });

  it('keeps the description of the API that the next one is compared with', async () => {
    const [desired, from] = [app(), source()];
    expect(await codeOf(registry.getApiBaseline({ slug: desired.slug, source: from }))).toBe(Code.NotFound);
    await registry.applyApp({ app: desired, source: from });
    expect(await codeOf(registry.getApiBaseline({ slug: desired.slug, source: source() }))).toBe(Code.AlreadyExists);
    expect((await registry.getApiBaseline({ slug: desired.slug, source: from })).api?.digest ?? '').toBe('');
    const api = { digest: 'sha256:1', version: '1.0.0', content: new Uint8Array([0, 255, 7]) };
    await registry.reportApp({ slug: desired.slug, source: from, report: report(), api });
    expect((await registry.getApiBaseline({ slug: desired.slug, source: from })).api).toMatchObject(api);
    await registry.reportApp({ slug: desired.slug, source: from, report: report() });
    expect((await registry.getApiBaseline({ slug: desired.slug, source: from })).api).toMatchObject(api);
  });
});
