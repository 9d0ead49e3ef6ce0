// Makes a SatelliteApp whose API is the Shell's own, waits until the operator has it Ready and the launchpad shows it,
// deletes it, and waits until both have forgotten it.
import { readFileSync } from 'node:fs';
import { json, launchpadEntry, platformUrl, say, signIn, until } from './platform.mjs';

const { NAMESPACE, KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
const objects = `https://${host.includes(':') ? `[${host}]` : host}:${port}/apis/platform.satellite.io/v1alpha1/namespaces/${NAMESPACE}/satelliteapps`;
const account = readFileSync('/var/run/secrets/kubernetes.io/serviceaccount/token', 'utf8');
const slug = 'helm-test';
const app = {
  apiVersion: 'platform.satellite.io/v1alpha1',
  kind: 'SatelliteApp',
  metadata: { name: slug, namespace: NAMESPACE },
  spec: { slug, name: 'Helm test', type: 'satellite', apiUrl: '/api', description: 'Made by helm test, and deleted by it.', organizations: { mode: 'All' } },
};

const patch = { token: account, body: app, headers: { 'content-type': 'application/apply-patch+yaml' } };
await until('the SatelliteApp is not taken', () => json('PATCH', `${objects}/${slug}?fieldManager=helm-test&force=true`, patch));
try {
  const ready = await until('the SatelliteApp does not become Ready', async () => {
    const { metadata, status = {} } = await json('GET', `${objects}/${slug}`, { token: account });
    const condition = (status.conditions ?? []).find(({ type }) => type === 'Ready');
    if (condition?.status !== 'True' || status.observedGeneration !== metadata.generation) throw new Error(condition ? `${condition.reason}: ${condition.message}` : 'no operator has looked at it');
    return condition;
  });
  say(`Ready: ${ready.reason}`);
  await launchpadEntry(slug, await signIn());
  say('in the launchpad');
} finally {
  await json('DELETE', `${objects}/${slug}`, { token: account, expected: [200, 202, 404] });
}
await until('the SatelliteApp is still there', async () => (await fetch(`${objects}/${slug}`, { headers: { authorization: `Bearer ${account}` } })).status === 404);
const { data: apps } = await json('GET', `${platformUrl}/api/config/apps`);
if (apps.some((entry) => entry.slug === slug)) throw new Error('The launchpad still shows it.');
say('gone from cluster and launchpad');
