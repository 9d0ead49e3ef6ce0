// The API server of the cluster, as the service account of this pod may use it.
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, NAMESPACE } = process.env;
const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
setDefaultCACertificates([...getCACertificates('default'), readFileSync(`${ACCOUNT}/ca.crt`, 'utf8')]);

/** One request about a SatelliteApp of this namespace; answers the status and what was said. */
export async function callAboutApp(method, name, { query = '', body } = {}) {
  const headers = { authorization: `Bearer ${readFileSync(`${ACCOUNT}/token`, 'utf8')}`, ...(body && { 'content-type': 'application/apply-patch+yaml' }) };
  const url = `${server}/apis/platform.satellite.io/v1alpha1/namespaces/${NAMESPACE}/satelliteapps/${name}${query}`;
  const response = await fetch(url, { method, headers, signal: AbortSignal.timeout(10_000), ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, text: await response.text() };
}

/** Applies it by server-side apply; throws what the API server says against it. */
export async function applyApp(app) {
  const answer = await callAboutApp('PATCH', app.metadata.name, { query: '?fieldManager=helm&force=true', body: app });
  if (answer.status !== 200 && answer.status !== 201) throw Object.assign(new Error(`${answer.status} ${answer.text}`), answer);
}

/** Asks for its end; true when it is gone. */
export async function removeApp(name) {
  const { status, text } = await callAboutApp('DELETE', name);
  if (![200, 202, 404].includes(status)) throw new Error(`${status} ${text}`);
  return status === 404;
}
