import { messageOf } from '@satellite/kit/core';
import { Stalled, Waiting } from '../../../runtime/errors.js';
import type { Run } from '../run.js';
import { CONDITION } from '../satellite-app.js';
import { probe, PROBE_RETRY, resolveUrl } from './probe.js';

const HEALTH_LIMIT = 64 * 1024;
const OPENAPI_LIMIT = 5 * 1024 * 1024;

/** The API must be healthy; that it describes itself is wished for, and said, but nothing depends on it. */
export async function probeApi(run: Run): Promise<void> {
  const url = resolveUrl(run, run.app.spec.apiUrl, '/health');
  try {
    const { status } = await probe(run, url, 'APIUnreachable', { maxBytes: HEALTH_LIMIT });
    if (status !== 200) throw new Waiting('APIUnreachable', `${url} answers ${status} instead of 200.`, PROBE_RETRY);
  } catch (error) {
    run.state(CONDITION.apiCompatible, 'Unknown', error instanceof Stalled || error instanceof Waiting ? error.reason : 'ProbeFailed', messageOf(error));
    throw error;
  }
  const missing = await whyNoOpenApi(run);
  if (missing === undefined) run.state(CONDITION.apiCompatible, 'True', 'OpenAPIFound', 'The API is healthy and serves its OpenAPI document.');
  else run.state(CONDITION.apiCompatible, 'Unknown', 'OpenAPIMissing', `The API is healthy; ${missing}`);
}

/** Why there is no OpenAPI document; undefined when there is one. */
async function whyNoOpenApi(run: Run): Promise<string | undefined> {
  const url = resolveUrl(run, run.app.spec.apiUrl, '/doc/openapi.json');
  try {
    const { status, body } = await probe(run, url, 'OpenAPIMissing', { maxBytes: OPENAPI_LIMIT });
    if (status !== 200) return `${url} answers ${status} instead of an OpenAPI document.`;
    const document = JSON.parse(body.toString('utf8')) as { readonly openapi?: unknown; readonly swagger?: unknown } | null;
    return typeof (document?.openapi ?? document?.swagger) === 'string' ? undefined : `${url} is not an OpenAPI document.`;
  } catch (error) {
    run.signal.throwIfAborted();
    return error instanceof SyntaxError ? `${url} is not JSON.` : messageOf(error);
  }
}
