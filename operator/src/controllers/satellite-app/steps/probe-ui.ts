import { createHash } from 'node:crypto';
import type { OutboundResponse } from '@satellite/kit/outbound';
import { OutboundTooLarge } from '@satellite/kit/outbound';
import { messageOf } from '@satellite/kit/core';
import { Stalled, Waiting } from '../../../runtime/errors.js';
import { keyOf } from '../../../runtime/objects.js';
import type { Run } from '../run.js';
import { CONDITION } from '../satellite-app.js';
import type { Sighting } from '../sightings.js';
import { probe, PROBE_RETRY, resolveUrl } from './probe.js';

/** It is there, and different at every look. */
const RESTLESS = 'UIChanging';
const SIZE_LIMIT = 5 * 1024 * 1024;
const JAVASCRIPT = /^(text|application)\/(javascript|x-javascript|ecmascript)\b/i;
const JSON_TYPE = /^application\/([a-z0-9.+-]*\+)?json\b/i;
/** Files by which a browser can load the front-end; one of them is enough. */
const ENTRIES = [
  { path: '/remoteEntry.js', type: JAVASCRIPT, typeName: 'text/javascript' },
  { path: '/mf-manifest.json', type: JSON_TYPE, typeName: 'application/json' },
] as const;

/** A browser on the platform's page must be able to load the front-end. */
export async function probeUi(run: Run): Promise<void> {
  const uiUrl = run.rollOut ? run.rollOut.probedUrl : run.app.spec.uiUrl;
  if (uiUrl === undefined) {
    run.withdraw(CONDITION.uiReachable);
    run.findings.uiDigest = undefined;
    return;
  }
  try {
    const { url, body } = await firstUsableEntry(run, uiUrl);
    const { digest, isRestless } = lookedAt(run, `sha256:${createHash('sha256').update(body).digest('hex')}`);
    run.findings.uiDigest = digest;
    if (!isRestless) return run.state(CONDITION.uiReachable, 'True', 'UIFound', `${url} can be loaded by browsers.`);
    run.state(CONDITION.uiReachable, 'True', RESTLESS, `${url} can be loaded by browsers, but is different at every check, so a new front-end cannot be told from the old one: serve the same file until another one is deployed.`);
  } catch (error) {
    run.state(CONDITION.uiReachable, 'False', error instanceof Stalled || error instanceof Waiting ? error.reason : 'ProbeFailed', messageOf(error));
    throw error;
  }
}

/**
 * What is other than before counts when the next look finds it again. After a change of the object it counts at once, and
 * after a failed look: that may have been the first one at what the object asks for, or the last before a rollback.
 */
function lookedAt({ app: { metadata, status }, app, tools, findings }: Run, served: string): Sighting {
  const before = status?.conditions?.find(({ type }) => type === CONDITION.uiReachable);
  const isExpected = status?.observedGeneration !== metadata.generation || before?.status !== 'True';
  return tools.sightings.look(keyOf(app), { served, known: findings.uiDigest, isExpected, wasRestless: before?.reason === RESTLESS });
}

async function firstUsableEntry(run: Run, uiUrl: string): Promise<OutboundResponse> {
  let problem: Waiting | undefined;
  for (const entry of ENTRIES) {
    try {
      return await checkedEntry(run, resolveUrl(run, uiUrl, entry.path), entry);
    } catch (error) {
      if (!(error instanceof Waiting)) throw error;
      // Of two problems the one of a file that is there says more than "not found".
      if (!problem || problem.reason === 'UIUnreachable') problem = problem && error.reason === 'UIUnreachable' ? problem : error;
      if (error.cause !== undefined && !(error.cause instanceof OutboundTooLarge)) break;
    }
  }
  throw problem as Waiting;
}

async function checkedEntry(run: Run, url: string, { type, typeName }: (typeof ENTRIES)[number]): Promise<OutboundResponse> {
  const platform = new URL(run.tools.platformUrl).origin;
  const response = await probe(run, url, 'UIUnreachable', { maxBytes: SIZE_LIMIT, headers: { origin: platform } }).catch((error: unknown) => {
    if (error instanceof Waiting && error.cause instanceof OutboundTooLarge) throw new Waiting('UITooLarge', `${url} is larger than ${SIZE_LIMIT} bytes; split the front-end.`, PROBE_RETRY, { cause: error.cause });
    throw error;
  });
  if (response.status !== 200) throw new Waiting('UIUnreachable', `${url} answers ${response.status} instead of 200.`, PROBE_RETRY);
  const contentType = response.headers['content-type'] ?? 'no content type';
  if (!type.test(contentType)) throw new Waiting('UIWrongType', `${url} is served as ${contentType}; browsers need ${typeName}.`, PROBE_RETRY);
  const allowed = response.headers['access-control-allow-origin'];
  if (new URL(response.url).origin !== platform && allowed !== '*' && allowed !== platform) {
    throw new Waiting('UICorsMissing', `${url} is on another origin than the platform and does not allow it; answer with Access-Control-Allow-Origin: ${platform}.`, PROBE_RETRY);
  }
  return response;
}
