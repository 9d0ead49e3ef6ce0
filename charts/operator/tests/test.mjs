// Makes a SatelliteApp whose API is the Shell's own, waits until the operator has it Ready and the launchpad shows it,
// deletes it, and waits until both have forgotten it.
import { applyApp, callAboutApp, removeApp } from './api-server.mjs';
import { json, launchpadEntry, platformUrl, say, signIn, until } from './platform.mjs';

const slug = 'helm-test';
const app = {
  apiVersion: 'platform.satellite.io/v1alpha1',
  kind: 'SatelliteApp',
  metadata: { name: slug, namespace: process.env.NAMESPACE },
  spec: { slug, name: 'Helm test', type: 'satellite', apiUrl: '/api', description: 'Made by helm test, and deleted by it.', organizations: { mode: 'All' } },
};

/** The reason of Ready=True for what the object says now. */
async function readyReason() {
  const { status: code, text } = await callAboutApp('GET', slug);
  if (code !== 200) throw new Error(`${code} ${text}`);
  const { metadata, status = {} } = JSON.parse(text);
  const condition = (status.conditions ?? []).find(({ type }) => type === 'Ready');
  if (condition?.status === 'True' && status.observedGeneration === metadata.generation) return condition.reason;
  throw new Error(condition ? `${condition.reason}: ${condition.message}` : 'no operator has looked at it');
}

await until('the SatelliteApp is not taken', async () => {
  await applyApp(app);
  return true;
});
try {
  say(`Ready: ${await until('the SatelliteApp does not become Ready', readyReason)}`);
  await launchpadEntry(slug, await signIn());
  say('in the launchpad');
} finally {
  await until('the SatelliteApp is still there', () => removeApp(slug));
}
const { data: apps } = await json('GET', `${platformUrl}/api/config/apps`);
if (apps.some((entry) => entry.slug === slug)) throw new Error('The launchpad still shows it.');
say('gone from cluster and launchpad');
