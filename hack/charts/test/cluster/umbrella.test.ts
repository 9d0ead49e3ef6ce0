import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CASES, EVALUATION, chartFolder, containersOf, find, podsOf, render, set, template, type KubeObject } from './support/helm.js';

const valuesOf = (name: string): string[] => ['--values', CASES.find(({ chart, values }) => chart === 'platform' && values === name)?.file ?? ''];
type Rule = { host: string; http: { paths: { path: string; backend: { service: { name: string } } }[] } };

const placesOf = (ingress: KubeObject): string[] => (ingress.spec?.['rules'] as Rule[]).flatMap(({ host, http }) => http.paths.map(({ path, backend }) => `${host}${path} ${backend.service.name}`));

describe('addresses', () => {
  it('are one host by default, each service below its path, and the Shell at the root', async () => {
    const objects = await render('platform', EVALUATION);
    expect(placesOf(find(objects, 'Ingress', 'trial-platform')).sort()).toEqual(['platform.test/ trial-shell', 'platform.test/drive trial-drive']);
    expect(objects.filter(({ kind }) => kind === 'Ingress')).toHaveLength(1);
  });

  it('may be hosts', async () => {
    const ingress = find(await render('platform', valuesOf('hosts')), 'Ingress', 'trial-platform');
    expect(placesOf(ingress).sort()).toEqual(['drive.example.org/ trial-drive', 'platform.example.org/ trial-shell']);
    expect(ingress.spec?.['tls']).toEqual([{ secretName: 'platform-tls', hosts: ['drive.example.org', 'platform.example.org'] }]);
  });

  it('are HTTPRoutes with the Gateway API, one a host', async () => {
    const objects = await render('platform', valuesOf('gateway'));
    expect(objects.filter(({ kind }) => kind === 'Ingress')).toEqual([]);
    expect(objects.filter(({ kind }) => kind === 'HTTPRoute').map(({ spec }) => spec?.['hostnames'])).toEqual([['drive.example.org'], ['platform.example.org']]);
  });

  it.each([
    ['two at one path', ['drive.route.path=/'], 'trial-drive and trial-shell are both reached at platform.test: / and / collide'],
    ['one at a path of the Shell', ['drive.route.path=/api/drive'], "drive: route.path /api/drive is the Shell's own"],
    ['one at the root of the API', ['drive.route.path=/api'], "drive: route.path /api is the Shell's own"],
    ["one below the API, by the host's name", ['drive.route.path=/api/drive', 'drive.route.host=platform.test'], 'collide'],
  ])('are refused when they collide: %s', async (_what, values, message) => {
    const { code, stderr } = await template('helm', 'platform', [...EVALUATION, ...set(...values)]);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
  });

  it.each(CASES.filter(({ chart }) => chart === 'platform'))('never collide with $values', async ({ file }) => {
    const objects = await render('platform', ['--values', file]);
    const places = objects.filter(({ kind }) => kind === 'Ingress').flatMap(placesOf).map((place) => place.split(' ')[0]);
    expect(new Set(places).size).toBe(places.length);
  });

  it('reach the service itself, its entry in the launchpad and the operator', async () => {
    const objects = await render('platform', valuesOf('hosts'));
    expect(envOf(objects, 'trial-drive')).toMatchObject({ APP_ENV_PUBLIC_URL: 'https://drive.example.org', APP_ENV_SHELL_URL: 'http://trial-shell', APP_ENV_JWT_ISSUER: 'https://platform.example.org' });
    expect(envOf(objects, 'trial-operator')).toMatchObject({ OPERATOR_PLATFORM_URL: 'https://platform.example.org', OPERATOR_SHELL_URL: 'http://trial-shell' });
    expect(appOf(objects).spec).toMatchObject({ apiUrl: 'https://drive.example.org/api', uiUrl: 'https://drive.example.org/ui' });
  });
});

function envOf(objects: readonly KubeObject[], deployment: string): Record<string, string | undefined> {
  const [container] = podsOf(find(objects, 'Deployment', deployment)).flatMap(containersOf).slice(-1);
  return Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value]));
}

const appOf = (objects: readonly KubeObject[]): { spec: object } => JSON.parse(find(objects, 'ConfigMap', 'trial-drive-scripts').data?.['satelliteapp.json'] ?? '{}') as { spec: object };

describe('one source', () => {
  it('is behind the SatelliteApp of Drive', async () => {
    const source = parse(readFileSync(join(chartFolder('..'), 'services/drive/satelliteapp.yaml'), 'utf8')) as { spec: object };
    expect(appOf(await render('platform', EVALUATION)).spec).toEqual(source.spec);
  });

  it('is behind the definition of SatelliteApp', async () => {
    const source = parse(readFileSync(join(chartFolder('..'), 'crds/satelliteapps.platform.satellite.io.yaml'), 'utf8')) as KubeObject;
    expect(find(await render('platform', EVALUATION), 'CustomResourceDefinition', source.metadata.name).spec).toEqual(source.spec);
  });

  it('is behind the rights of the operator', async () => {
    const rules = readFileSync(join(chartFolder('..'), 'operator/rbac.yaml'), 'utf8').split(/^---$/m).map((part) => parse(part) as KubeObject & { rules?: object });
    const objects = (await render('platform', EVALUATION)) as (KubeObject & { rules?: object })[];
    expect(find(objects, 'ClusterRole', 'trial-trial-operator')).toMatchObject({ rules: rules.find(({ kind }) => kind === 'ClusterRole')?.rules });
  });
});

describe('an operator', () => {
  const ALONE = set('global.publicUrl=https://platform.test', 'global.secrets.existingSecret=platform', 'global.shell.url=http://shell');

  it('of one shard has its own lease, selects by labels and leaves the definition to another release', async () => {
    const objects = await render('operator', [...ALONE, ...set('watchLabelSelector=!platform.satellite.io/shard', 'fullnameOverride=operator-rest', 'crds.enabled=false')]);
    expect(envOf(objects, 'operator-rest')).toMatchObject({ OPERATOR_WATCH_LABEL_SELECTOR: '!platform.satellite.io/shard', OPERATOR_LEASE_NAME: 'operator-rest' });
    const rules = (find(objects, 'Role', 'operator-rest') as KubeObject & { rules: { resourceNames?: string[] }[] }).rules;
    expect(rules.flatMap(({ resourceNames = [] }) => resourceNames)).toEqual(['operator-rest']);
    expect(objects.filter(({ kind }) => kind === 'CustomResourceDefinition')).toEqual([]);
  });

  it('of one namespace gets its rights there and nothing of the whole cluster', async () => {
    const objects = await render('operator', [...ALONE, ...set('watchNamespace=apps')]);
    expect(objects.filter(({ kind }) => kind.startsWith('ClusterRole'))).toEqual([]);
    for (const kind of ['Role', 'RoleBinding']) expect(find(objects, kind, 'trial-operator-apps').metadata.namespace).toBe('apps');
  });
});

describe('migrations', () => {
  const migrates = (object: KubeObject): boolean => podsOf(object).flatMap(containersOf).some(({ args }) => args?.[0] === 'migrate');

  it('are a Job before the release where the database is there before', async () => {
    const migrating = (await render('platform', valuesOf('external'))).filter(migrates);
    expect(migrating.map(({ kind, metadata }) => [kind, metadata.name, metadata.annotations?.['helm.sh/hook']])).toEqual([['Job', 'trial-drive-migration', 'pre-install,pre-upgrade'], ['Job', 'trial-shell-migration', 'pre-install,pre-upgrade']]);
  });

  it('take nothing of the release before it is there', async () => {
    const job = find(await render('platform', valuesOf('external')), 'Job', 'trial-drive-migration');
    expect(podsOf(job).flatMap(containersOf).flatMap(({ env }) => env ?? [])).toEqual([{ name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'drive-database', key: 'uri' } } }]);
    expect(JSON.stringify(job)).not.toMatch(/serviceAccountName|configMap/);
  });

  it.each(['bundled', 'cnpg'])('are an init container where the release brings the database: %s', async (values) => {
    const migrating = (await render('platform', valuesOf(values))).filter(migrates);
    expect(migrating.map(({ kind }) => kind)).toEqual(['Deployment', 'Deployment']);
  });
});

describe('secrets', () => {
  it('are never in a pod by their value', async () => {
    const objects = await render('platform', valuesOf('high-availability'));
    const plain = objects.flatMap(podsOf).flatMap(containersOf).flatMap(({ env }) => env ?? []).filter(({ name, value }) => /SECRET|PASSWORD|_KEYS?$|DATABASE_URL|REDIS_URL/.test(name) && value !== undefined);
    expect(plain).toEqual([]);
  });

  it('of satellites reach the Shell: they stand above the text that quotes them, else Kubernetes would leave it as it is', async () => {
    const env = podsOf(find(await render('platform', EVALUATION), 'Deployment', 'trial-shell')).flatMap(containersOf).slice(-1).flatMap((container) => container.env ?? []);
    const clients = env.findIndex(({ name }) => name === 'APP_ENV_APP_CLIENTS');
    expect(JSON.parse(env[clients]?.value ?? '')).toEqual([{ slug: 'drive', clientId: 'drive', clientSecret: '$(CLIENT_SECRET_DRIVE)' }]);
    expect(env.slice(0, clients)).toContainEqual({ name: 'CLIENT_SECRET_DRIVE', valueFrom: { secretKeyRef: { name: 'trial-platform', key: 'drive-client-secret' } } });
  });

  it('of everybody may be existing ones: nothing is generated', async () => {
    const objects = await render('platform', valuesOf('high-availability'));
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });
});
