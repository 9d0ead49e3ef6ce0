import type { Cluster } from '../../../../operator/test/cluster/support/cluster.js';
import { CASES, HELMS, chartFolder, containersOf, objectsIn, podsOf, render, template, tool, type KubeObject } from './support/helm.js';
import { installForeignKinds } from './support/foreign-kinds.js';
import { startOwnCluster } from './support/own-cluster.js';

const NAMESPACE = 'trial';

describe.each(CASES)('chart $chart with $values', ({ chart, file }) => {
  it.each(HELMS)('pleases %s', async (helm) => {
    const lint = await tool(helm, ['lint', '--strict', '--kube-version', 'v1.36.0', chartFolder(chart), '--values', file]);
    expect(lint).toMatchObject({ code: 0 });
  });

  it('is the same with Helm 4 and Helm 3', async () => {
    const [four, three] = await Promise.all(HELMS.map((helm) => template(helm, chart, ['--values', file])));
    expect(four).toMatchObject({ code: 0 });
    expect(comparable(three?.stdout ?? '')).toEqual(comparable(four?.stdout ?? ''));
  });
});

/** Without the secrets that are made anew each time, and in one order. */
const comparable = (text: string): object[] =>
  objectsIn(text)
    .map((object) => (object.kind === 'Secret' ? { ...object, stringData: Object.keys(object.stringData ?? {}) } : object))
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
const nameOf = ({ kind, metadata }: KubeObject | Omit<KubeObject, 'stringData'>): string => `${kind} ${metadata.name}`;

describe('a real API server', () => {
  let cluster: Cluster;
  let stopCluster: () => Promise<void>;
  beforeAll(async () => {
    ({ cluster, stop: stopCluster } = await startOwnCluster());
    await installForeignKinds(cluster);
    await cluster.kubectl(['create', 'namespace', NAMESPACE]);
    await cluster.kubectl(['label', 'namespace', NAMESPACE, ...['enforce', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}=restricted`)]);
  });
  afterAll(() => stopCluster());

  it.each(CASES)('takes every object of $chart with $values, and every pod under Pod Security "restricted"', async ({ chart, file }) => {
    const objects = await render(chart, ['--values', file]);
    const pods = objects.flatMap((object) => podsOf(object).map((pod, number) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: `${object.metadata.name}-pod-${number}`, namespace: NAMESPACE }, spec: pod.spec })));
    expect(pods.length).toBeGreaterThan(0);
    const named = objects.map((object) => ({ ...object, metadata: { ...object.metadata, ...(isNamespaced(object) && { namespace: NAMESPACE }) } }));
    // strict: a field that does not exist is refused and not only told
    const answer = await cluster.try(['apply', '--server-side', '--dry-run=server', '--validate=strict', '--force-conflicts', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...named, ...pods] }));
    expect(answer).toMatchObject({ code: 0, stderr: '' });
  });
});

const isNamespaced = ({ kind }: KubeObject): boolean => !['CustomResourceDefinition', 'ClusterRole', 'ClusterRoleBinding'].includes(kind);

describe('images', () => {
  it('can all be pinned by a digest', async () => {
    const pin = (path: string, number: number): string[] => ['--set', `${path}.digest=sha256:${String(number).repeat(64)}`];
    const paths = ['shell.image', 'drive.image', 'operator.image', 'bundled.postgresql.image', 'bundled.cache.image', 'bundled.objectStore.image'];
    const objects = await render('platform', ['--values', CASES.find(({ values }) => values === 'bundled')?.file ?? '', ...paths.flatMap(pin)]);
    const images = objects.flatMap(podsOf).flatMap(containersOf).map(({ image }) => image);
    expect(images.length).toBeGreaterThan(8);
    for (const image of images) expect(image).toMatch(/^[^:]+@sha256:[0-9a-f]{64}$/);
  });
});
