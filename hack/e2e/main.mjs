// The platform on a real cluster, as platform engineers install it: `make test-e2e` on the cluster that KUBECONFIG
// names. Ends with a table of what was seen; fails with the first thing that does not hold. The namespace stays then.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, exit } from 'node:process';
import { backupAndRestore } from './backup.mjs';
import { buildImages, NEXT_TAG } from './images.mjs';
import { apply, ask, driveToken, helm, HOST, items, kubectl, NAMESPACE, RELEASE, run, signIn, until, upload } from './tools.mjs';
import { uploadsThrough, Visitors } from './traffic.mjs';

const HERE = import.meta.dirname;
const CHART = join(HERE, '../../charts/platform');
const seen = [];
const began = Date.now();

/** One thing that has to hold; what it answers goes into the table. */
async function step(title, work) {
  const started = Date.now();
  process.stdout.write(`${title} …\n`);
  const found = (await work((text) => process.stdout.write(`  ${text}\n`))) ?? 'yes';
  const seconds = Math.round((Date.now() - started) / 1000);
  seen.push([title, found, `${seconds} s`]);
  process.stdout.write(`  ${found} (${seconds} s)\n`);
}

const settings = ['-f', join(HERE, 'values.yaml'), '--set', `global.publicUrl=http://${HOST}`, '--set', `ingress.className=${env.INGRESS_CLASS ?? 'traefik'}`];
const drivePods = async () => (await items('pods', '-l', 'app.kubernetes.io/name=drive,app.kubernetes.io/component!=test')).filter(({ metadata, status }) => !metadata.deletionTimestamp && status.phase === 'Running');
const query = (sql) => kubectl('exec', `${RELEASE}-postgresql-0`, '--', 'sh', '-c', `PGPASSWORD="$POSTGRES_PASSWORD" psql -h 127.0.0.1 -U postgres -d drive -tAc "${sql}"`);

async function everythingReady() {
  await kubectl('wait', '--for=condition=Available', 'deployment', '--all', '--timeout=300s');
  await kubectl('rollout', 'status', 'statefulset', '--timeout=300s');
  await kubectl('wait', '--for=condition=Ready', 'satelliteapp', '--all', '--timeout=120s');
}

async function preflight() {
  if (!env.KUBECONFIG) throw new Error('KUBECONFIG names no cluster. Point it at one that may be filled and emptied: kind, k3d, or one in a cloud.');
  const nodes = JSON.parse(await run('kubectl', ['get', 'nodes', '-o', 'json'])).items;
  // what an earlier run left; first the release, since the operator has to take SatelliteApps out of the registry
  await helm('uninstall', RELEASE, '--ignore-not-found', '--wait', '--timeout', '5m');
  await run('kubectl', ['delete', 'namespace', NAMESPACE, '--ignore-not-found', '--wait=true']);
  await apply(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"${NAMESPACE}","labels":{"pod-security.kubernetes.io/enforce":"restricted"}}}`);
  return `${nodes.length} node(s), Kubernetes ${nodes[0].status.nodeInfo.kubeletVersion}, ${(await run('helm', ['version', '--short'])).split('+')[0]}, Pod Security restricted`;
}

async function thirdParty() {
  await apply((await readFile(join(HERE, 'third-party.yaml'), 'utf8')).replaceAll('__HOST__', HOST));
  await kubectl('wait', '--for=condition=Available', 'deployment/notes', '--timeout=120s');
  await kubectl('wait', '--for=condition=Ready', 'satelliteapp/notes', '--timeout=60s');
  const token = await signIn();
  const entry = await until('notes is not in the launchpad', async () => (await ask('GET', '/api/config/apps', { token })).find(({ slug }) => slug === 'notes'));
  const { sub } = await until('notes does not know the visitor', () => ask('GET', '/notes/api/whoami', { token }));
  return `Ready, in config/apps as "${entry.name}", knows the visitor ${sub.slice(0, 8)} by the Shell's keys`;
}

async function upgrade() {
  const visitors = new Visitors(await signIn(), await driveToken());
  await helm('upgrade', RELEASE, CHART, ...settings, '--set', `drive.image.tag=${NEXT_TAG}`, '--wait', '--timeout', '5m');
  const found = await visitors.stop();
  const column = await query("select count(*) from information_schema.columns where table_name = 'files' and column_name = 'next_note'");
  if (column !== '1') throw new Error('the migration of the next version has not run');
  return `${found}; the new version's migration has run`;
}

async function rollback() {
  const visitors = new Visitors(await signIn(), await driveToken());
  await helm('rollback', RELEASE, '1', '--wait', '--timeout', '5m');
  return visitors.stop();
}

/** Without grace, in the middle of uploads. */
async function podKilled() {
  return uploadsThrough(await driveToken(), async (acknowledged) => {
    await until('no upload is acknowledged', () => acknowledged() >= 4);
    const [pod] = await drivePods();
    await kubectl('delete', 'pod', pod.metadata.name, '--grace-period=0', '--force');
    const before = acknowledged();
    await kubectl('rollout', 'status', `deployment/${RELEASE}-drive`, '--timeout=180s');
    await until('no upload is acknowledged afterwards', () => acknowledged() >= before + 4);
  });
}

async function leaderGone() {
  const holder = async () => (await items('lease')).find(({ metadata }) => /operator/.test(metadata.name))?.spec.holderIdentity;
  const before = await holder();
  const pod = (await items('pods')).find(({ metadata }) => before.startsWith(metadata.name));
  await kubectl('delete', 'pod', pod.metadata.name, '--wait=false');
  const asked = Date.now();
  await kubectl('patch', 'satelliteapp', 'notes', '--type=merge', '-p', '{"spec":{"description":"Notes, changed while nobody led"}}');
  await until('nobody took over', async () => {
    const { metadata, status } = JSON.parse(await kubectl('get', 'satelliteapp', 'notes', '-o', 'json'));
    return status.observedGeneration === metadata.generation && (await holder()) !== before;
  });
  return `the change was handled by another leader after ${((Date.now() - asked) / 1000).toFixed(1)} s`;
}

async function uninstall() {
  const token = await driveToken();
  await upload(token, 'kept.bin', Buffer.from('kept'));
  await kubectl('delete', 'satelliteapp/notes', 'deployment/notes', 'service/notes', 'ingress/notes', '--wait=true');
  await helm('uninstall', RELEASE, '--wait', '--timeout', '5m');
  const kinds = 'deployments,statefulsets,pods,jobs,services,ingresses,configmaps,secrets,serviceaccounts,roles,rolebindings,networkpolicies,poddisruptionbudgets,horizontalpodautoscalers,persistentvolumeclaims,satelliteapps.platform.satellite.io,leases';
  const promised = ({ kind, metadata: { name, annotations = {} } }) => kind === 'PersistentVolumeClaim' || annotations['helm.sh/resource-policy'] === 'keep' || /^(default|kube-root-ca.crt)$/.test(name);
  const left = async () => (await items(kinds)).filter((item) => !promised(item)).map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  await until('something is left', async () => {
    const names = await left();
    if (names.length > 0) throw new Error(`something is left: ${names.join(', ')}`);
    return true;
  }, 90_000);
  const clusterWide = JSON.parse(await run('kubectl', ['get', 'clusterroles,clusterrolebindings', '-l', `app.kubernetes.io/instance=${RELEASE}`, '-o', 'json'])).items;
  if (clusterWide.length > 0) throw new Error(`left in the cluster: ${clusterWide.map(({ kind, metadata }) => `${kind}/${metadata.name}`).join(', ')}`);
  return `left are only what keep promises: ${(await items('secrets,persistentvolumeclaims')).length} Secrets and volumes, and the CRD`;
}

async function reinstall() {
  await helm('install', RELEASE, CHART, ...settings, '--wait', '--timeout', '10m');
  await everythingReady();
  const token = await driveToken();
  const names = (await ask('GET', '/drive/api/files?q=kept&limit=5', { token })).map?.(({ name }) => name) ?? [];
  if (!names.includes('kept.bin')) throw new Error('the file from before is not there');
  await helm('uninstall', RELEASE, '--wait', '--timeout', '5m');
  await run('kubectl', ['delete', 'namespace', NAMESPACE, '--wait=true']);
  return 'the kept volumes and secrets are taken up, files are there';
}

try {
  await step('cluster', preflight);
  if (!env.E2E_KEEP_IMAGES) await step('images', buildImages);
  await step('helm install', async () => void (await helm('install', RELEASE, CHART, ...settings, '--wait', '--timeout', '10m')));
  await step('everything ready', everythingReady);
  await step('helm test', async () => `${(await helm('test', RELEASE, '--timeout', '10m')).match(/^Phase:\s+Succeeded/gm)?.length ?? 0} test hooks succeeded`);
  await step('third-party SatelliteApp', thirdParty);
  await step('upgrade under load', upgrade);
  await step('rollback under load', rollback);
  await step('pod killed while uploads run', podKilled);
  await step('operator leader deleted', leaderGone);
  await step('backup and restore', backupAndRestore);
  await step('helm uninstall', uninstall);
  await step('installed again', reinstall);
} catch (error) {
  process.stderr.write(`\n${error.message}\n`);
  exit(1);
} finally {
  process.stdout.write(`\n| step | seen | took |\n|---|---|---|\n${seen.map((row) => `| ${row.join(' | ')} |\n`).join('')}\n${Math.round((Date.now() - began) / 1000)} s\n`);
}
