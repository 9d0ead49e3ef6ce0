import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Cluster } from '../../../../operator/test/cluster/support/cluster.js';
import { startOwnCluster } from './support/own-cluster.js';
import { EVALUATION, HELMS, chartFolder, find, render, set, tool, type Answer, type HelmName } from './support/helm.js';

const CRD = 'satelliteapps.platform.satellite.io';
/** No kubelet runs pods here: what Helm makes and keeps is looked at, jobs and tests belong to `make test-e2e`. */
const NO_PODS = ['--no-hooks'];
const OPERATOR = set('global.publicUrl=https://platform.test', 'global.secrets.existingSecret=platform', 'global.shell.url=http://shell');

let cluster: Cluster;
let stopCluster: () => Promise<void>;
let scratch: string;

beforeAll(async () => {
  ({ cluster, stop: stopCluster } = await startOwnCluster());
  scratch = await mkdtemp(join(tmpdir(), 'satellite-charts-'));
});
afterAll(async () => {
  await rm(scratch, { recursive: true, force: true });
  await stopCluster();
});

async function helm(program: HelmName, ...args: readonly string[]): Promise<Answer> {
  const answer = await tool(program, ['--kubeconfig', cluster.kubeconfig, ...args]);
  if (answer.code !== 0) throw new Error(`${program} ${args[0]}: ${answer.stderr}`);
  return answer;
}

async function namespace(name: string): Promise<string> {
  await cluster.kubectl(['create', 'namespace', name]);
  return name;
}

/** The operator's chart as it was when SatelliteApps had no `suspend`. */
async function olderOperator(): Promise<string> {
  const folder = join(scratch, 'older');
  await cp(chartFolder('operator'), folder, { recursive: true, dereference: true });
  const crd = parse(await readFile(join(folder, 'crd.yaml'), 'utf8')) as { spec: { versions: { schema: { openAPIV3Schema: { properties: { spec: { properties: Record<string, unknown> } } } } }[] } };
  for (const { schema } of crd.spec.versions) delete schema.openAPIV3Schema.properties.spec.properties['suspend'];
  await writeFile(join(folder, 'crd.yaml'), stringify(crd));
  return folder;
}

const app = (name: string): string => JSON.stringify({ apiVersion: 'platform.satellite.io/v1alpha1', kind: 'SatelliteApp', metadata: { name }, spec: { slug: name, name, type: 'satellite', apiUrl: '/api' } });
const knowsSuspend = async (): Promise<boolean> => (await cluster.kubectl(['get', 'crd', CRD, '-o', 'json'])).includes('"suspend"');

describe.each(HELMS)('the name of the installation with %s', (program) => {
  const nameWith = async (where: string, ...values: readonly string[]): Promise<string | undefined> => {
    const { stdout } = await helm(program, 'install', 'named', chartFolder('operator'), '--namespace', where, '--dry-run=server', ...OPERATOR, ...set(...values));
    return /name: OPERATOR_INSTALLATION\s+value: "(.*)"/.exec(stdout)?.[1];
  };
  const uidOf = async (name: string): Promise<string> => (await cluster.json<{ metadata: { uid: string } }>(['get', 'namespace', name])).metadata.uid;

  it('is the identity of the cluster, of the one namespace that is looked at, or what is set', async () => {
    const where = await namespace(`named-${program}`);
    expect(await nameWith(where)).toBe(await uidOf('kube-system'));
    expect(await nameWith(where, `watchNamespace=${where}`)).toBe(await uidOf(where));
    expect(await nameWith(where, 'installation=blue')).toBe('blue');
  });
});

describe.each(HELMS)('the definition of SatelliteApp with %s', (program) => {
  it('comes with the operator, is kept current by an upgrade and outlives the release with all objects', async () => {
    const where = await namespace(`crd-${program}`);
    await helm(program, 'install', 'op', await olderOperator(), '--namespace', where, ...OPERATOR);
    await cluster.kubectl(['wait', '--for=condition=Established', `crd/${CRD}`, '--timeout=60s']);
    expect(await knowsSuspend()).toBe(false);
    await cluster.kubectl(['apply', '--namespace', where, '-f', '-'], app('kept'));
    await rm(join(scratch, 'older'), { recursive: true });

    await helm(program, 'upgrade', 'op', chartFolder('operator'), '--namespace', where, ...OPERATOR);
    expect(await knowsSuspend()).toBe(true);
    await helm(program, 'uninstall', 'op', '--namespace', where, ...NO_PODS);
    expect(await cluster.kubectl(['get', 'satelliteapp', 'kept', '--namespace', where, '-o', 'name'])).toContain('kept');

    await helm(program, 'install', 'op', chartFolder('operator'), '--namespace', where, ...OPERATOR, '--set', 'crds.keep=false');
    await helm(program, 'uninstall', 'op', '--namespace', where, ...NO_PODS);
    await cluster.kubectl(['wait', '--for=delete', `crd/${CRD}`, '--timeout=60s']);
  });
});

describe('an evaluation', () => {
  it('keeps its generated secrets through upgrades and a new installation, and its stores until somebody moved the data', async () => {
    const where = await namespace('kept-secrets');
    const secrets = async (): Promise<unknown> => {
      const { items } = await cluster.json<{ items: { metadata: { name: string }; data: object }[] }>(['get', 'secrets', '--namespace', where, '-l', 'app.kubernetes.io/part-of=satellite-platform']);
      return items.map(({ metadata: { name }, data }) => ({ name, data })).filter(({ name }) => name !== 'p-valkey');
    };
    await helm('helm', 'install', 'p', chartFolder('platform'), '--namespace', where, ...NO_PODS, ...EVALUATION);
    const first = await secrets();
    expect(first).toHaveLength(5);
    await helm('helm', 'upgrade', 'p', chartFolder('platform'), '--namespace', where, ...NO_PODS, ...EVALUATION);
    expect(await secrets()).toEqual(first);
    await expect(helm('helm', 'upgrade', 'p', chartFolder('platform'), '--namespace', where, ...NO_PODS, ...EVALUATION, ...set('global.postgresql.mode=cnpg'))).rejects.toThrow('global.postgresql.mode is bundled in this release');
    await helm('helm', 'uninstall', 'p', '--namespace', where, ...NO_PODS);
    expect(await secrets()).toEqual(first);
    await helm('helm', 'install', 'p', chartFolder('platform'), '--namespace', where, ...NO_PODS, ...EVALUATION);
    expect(await secrets()).toEqual(first);
    await helm('helm', 'uninstall', 'p', '--namespace', where, ...NO_PODS);
  });
});

const NO_DRIVE = [...set('drive.enabled=false'), '--set-json', 'global.satellites=[]'];

describe('a satellite that is turned off', () => {
  it.each(HELMS)('has to be taken out of the launchpad before, with %s', async (program) => {
    const where = await namespace(`turned-off-${program}`);
    const upgrade = (...values: readonly string[]): Promise<Answer> => helm(program, 'upgrade', '--install', 'part', chartFolder('platform'), '--namespace', where, ...NO_PODS, ...EVALUATION, ...set('operator.enabled=false'), ...values);
    await cluster.try(['delete', 'crd', CRD, '--ignore-not-found', '--timeout=60s']);
    await upgrade();
    await upgrade(...set('drive.satelliteApp.enabled=false'));
    await cluster.apply(await readFile(join(chartFolder('operator'), 'crd.yaml'), 'utf8'));
    await cluster.kubectl(['wait', '--for=condition=Established', `crd/${CRD}`, '--timeout=60s']);
    const applied = find(await render('platform', EVALUATION), 'ConfigMap', 'trial-drive-scripts').data?.['satelliteapp.json'] ?? '';
    await cluster.kubectl(['apply', '--namespace', where, '-f', '-'], applied.replace('"namespace": "trial"', `"namespace": "${where}"`).replace('"app.kubernetes.io/instance": "trial"', '"app.kubernetes.io/instance": "part"'));
    await cluster.kubectl(['apply', '--namespace', where, '-f', '-'], app('of-somebody-else'));
    await upgrade();
    await expect(upgrade(...set('drive.satelliteApp.enabled=false'))).rejects.toThrow(`kubectl delete satelliteapp -n ${where} drive`);
    await expect(upgrade(...NO_DRIVE)).rejects.toThrow(`kubectl delete satelliteapp -n ${where} drive`);
    await cluster.kubectl(['delete', 'satelliteapp', 'drive', '--namespace', where]);
    await upgrade(...NO_DRIVE);
    await helm(program, 'uninstall', 'part', '--namespace', where, ...NO_PODS);
  }, 180_000);
});

describe('the job that registers a satellite', () => {
  it('may apply and remove its own SatelliteApp and nothing else', async () => {
    const where = await namespace('registration');
    await cluster.apply(await readFile(join(chartFolder('operator'), 'crd.yaml'), 'utf8'));
    await cluster.kubectl(['wait', '--for=condition=Established', `crd/${CRD}`, '--timeout=60s']);
    const rights = (await render('platform', EVALUATION)).filter(({ kind, metadata }) => ['Role', 'RoleBinding'].includes(kind) && metadata.name === 'trial-drive-registration');
    const here = JSON.parse(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: rights }).replaceAll('"namespace":"trial"', `"namespace":"${where}"`)) as object;
    await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(here));
    const drive = find(await render('platform', EVALUATION), 'ConfigMap', 'trial-drive-scripts').data?.['satelliteapp.json'] ?? '';
    const as = ['--as', `system:serviceaccount:${where}:trial-drive-registration`, '--namespace', where];

    const own = drive.replace('"namespace": "trial"', `"namespace": "${where}"`);
    await cluster.kubectl(['apply', '--server-side', '--field-manager=helm', '--validate=false', ...as, '-f', '-'], own);
    await cluster.kubectl(['apply', '--server-side', '--field-manager=helm', '--validate=false', ...as, '-f', '-'], own);
    await cluster.kubectl(['delete', 'satelliteapp', 'drive', '--wait=false', ...as]);
    expect((await cluster.try(['apply', '--server-side', '--validate=false', ...as, '-f', '-'], app('other'))).stderr).toContain('forbidden');
    expect((await cluster.try(['get', 'secrets', ...as])).stderr).toContain('forbidden');
  });
});
