// Puts the SatelliteApp of this chart into the cluster or takes it out: node satelliteapp.mjs apply|remove
import { readFileSync } from 'node:fs';

const LIMIT_MS = 120_000;
const PAUSE_MS = 2000;
const account = '/var/run/secrets/kubernetes.io/serviceaccount';
const server = `https://${process.env.KUBERNETES_SERVICE_HOST.includes(':') ? `[${process.env.KUBERNETES_SERVICE_HOST}]` : process.env.KUBERNETES_SERVICE_HOST}:${process.env.KUBERNETES_SERVICE_PORT}`;
const app = JSON.parse(readFileSync('/scripts/satelliteapp.json', 'utf8'));
const [group, version] = app.apiVersion.split('/');
const path = `/apis/${group}/${version}/namespaces/${process.env.NAMESPACE}/satelliteapps/${app.metadata.name}`;

async function call(method, query = '', body = undefined) {
  const headers = { authorization: `Bearer ${readFileSync(`${account}/token`, 'utf8')}`, ...(body && { 'content-type': 'application/apply-patch+yaml' }) };
  const response = await fetch(`${server}${path}${query}`, { method, headers, signal: AbortSignal.timeout(10_000), ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, answer: await response.text() };
}

/** Asks until the answer is settled; the last thing heard is told when the time is over. */
async function until(what, ask) {
  const deadline = Date.now() + LIMIT_MS;
  let heard = 'nothing';
  while (Date.now() < deadline) {
    try {
      const { settled, ...rest } = await ask();
      if (settled) return;
      heard = JSON.stringify(rest);
    } catch (error) {
      if (error.final) throw error;
      heard = `${error.message} ${error.cause?.message ?? ''}`;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`${what}: ${heard}`);
}

async function apply() {
  // 404: the operator's CRD is on its way; 409 and 5xx pass
  await until('The SatelliteApp could not be applied (is the operator with its CRD installed?)', async () => {
    const { status, answer } = await call('PATCH', '?fieldManager=helm&force=true', app);
    if (status === 403 || status === 400 || status === 422) throw Object.assign(new Error(`refused with ${status}: ${answer}`), { final: true });
    return { settled: status === 200 || status === 201, status, answer };
  });
  console.log(`${app.metadata.name} is applied; kubectl get satelliteapp ${app.metadata.name} shows how it goes`);
}

async function remove() {
  try {
    await until('it is still there', async () => {
      const { status, answer } = await call('DELETE');
      return { settled: status === 404, status, answer };
    });
    console.log(`${app.metadata.name} is gone`);
  } catch (error) {
    // An installation must not be kept from ending: without an operator nobody can take the entry out.
    console.log(`${app.metadata.name} waits for an operator that takes its entry out of the registry: ${error.message}`);
  }
}

const work = { apply, remove }[process.argv[2]];
if (work === undefined) throw new Error('Say apply or remove.');
await work();
