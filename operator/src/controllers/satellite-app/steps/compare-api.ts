import { gunzipSync, gzipSync } from 'node:zlib';
import { Code, ConnectError } from '@connectrpc/connect';
import { messageOf as errorText, singleLine } from '@satellite/kit/core';
import { BreakerOpen } from '../../../runtime/circuit-breaker.js';
import { Stalled, Waiting } from '../../../runtime/errors.js';
import { ACCEPT_API_CHANGES, acceptedBecause } from '../api/acceptance.js';
import { breaksBetween } from '../api/breaks.js';
import type { ApiBreak } from '../api/schema-breaks.js';
import type { Surface } from '../api/surface.js';
import { registryProblem } from '../registry-messages.js';
import type { Run, ServedApi } from '../run.js';
import { CONDITION } from '../satellite-app.js';

/** The status keeps so many; the condition names the first ones. */
const LISTED = 20;
const NAMED = 3;
const TEXT_LIMIT = 300;
/** A baseline is at most as large as what is read of a document. */
const BASELINE_LIMIT = 4 * 1024 * 1024;
/** Nothing is kept of this entry, or it is not ours, which applying it will say; or the Shell is from before baselines. */
const NO_BASELINE: readonly Code[] = [Code.NotFound, Code.AlreadyExists, Code.FailedPrecondition, Code.Unimplemented];

/** The API breaks its users. */
const API_INCOMPATIBLE = 'APIIncompatible';

/** The Shell does not answer anything now. */
const AWAY: readonly Code[] = [Code.Unavailable, Code.DeadlineExceeded];

/** Whether the API still is what its users know from the last time the object was ready. */
export async function compareApi(run: Run): Promise<void> {
  const { servedApi: served, findings } = run;
  if (!served) return;
  const known = findings.api;
  if (known?.digest === served.digest) return settle(run, served, false);
  if (known?.digest === undefined) return settle(run, served, true);
  // What was found about this very description does not change by being found again.
  const found = known.served === served.digest ? findings.apiBreaks : undefined;
  const because = acceptedBecause({ annotation: run.app.metadata.annotations?.[ACCEPT_API_CHANGES], before: known.version, after: run.app.spec.version, digest: served.digest });
  if (because !== undefined) return acceptBreaks(run, served, because, found);
  try {
    const breaks = found ?? (await breaksSince(run, served));
    if (breaks.length === 0) settle(run, served, true);
    else stateBreaks(run, served, breaks);
  } catch (error) {
    run.signal.throwIfAborted();
    // Nor could anything be registered: it is compared when the Shell is back.
    if (error instanceof Waiting) throw error;
    stateNotCompared(run, served, singleLine(errorText(error)));
  }
}

/** Nothing is compared for it: it goes through whatever that would find. */
function acceptBreaks(run: Run, served: ServedApi, because: string, found: readonly ApiBreak[] | undefined): void {
  settle(run, served, true);
  if (!found) return run.state(CONDITION.apiCompatible, 'True', 'OpenAPIFound', `The API is healthy and serves its OpenAPI document; what changed in it for its users goes through: ${because}.`);
  const message = `${found.length} changes of the API break its users; ${because}.`;
  run.state(CONDITION.apiCompatible, 'True', 'BreakingChangesAccepted', message);
  run.tools.apps.events.record(run.app, { type: 'Normal', reason: 'BreakingChangesAccepted', action: 'Probe', note: message });
}

/** A changed object is not registered while its API breaks users: what is registered stays. */
export function holdBackBreaks(run: Run): void {
  const { registry, apiBreaks } = run.findings;
  // The API broke without a change of the object: holding the registry back would help nobody, and drift is corrected.
  if (apiBreaks && registry?.generation !== run.app.metadata.generation) throw incompatible(run, apiBreaks);
}

/** The last step: everything else is done as ever, but nobody is to believe that all is well. */
export function requireCompatible(run: Run): void {
  const { apiBreaks } = run.findings;
  if (apiBreaks) throw incompatible(run, apiBreaks);
}

/** The last step where nothing is written: Ready says what mode Enforce would say. */
export function planCompatible(run: Run): void {
  const { app: { spec: { mode } }, findings: { apiBreaks }, rollOut } = run;
  if (!apiBreaks) return;
  if (rollOut) run.state(CONDITION.rolledOut, 'Unknown', 'Planned', `Mode ${mode} rolls nothing out; mode Enforce would go no further while the API breaks its users.`);
  throw new Stalled(API_INCOMPATIBLE, `Mode Enforce would be held back and leave the registry as it is. ${messageOf(run, apiBreaks)}`);
}

/** @param isNew later descriptions are compared with this one from now on */
function settle(run: Run, served: ServedApi, isNew: boolean): void {
  const { findings } = run;
  findings.apiBreaks = undefined;
  if (findings.api?.served !== undefined) findings.api = { digest: findings.api.digest, version: findings.api.version };
  if (isNew) run.newBaseline = { digest: served.digest, content: new Uint8Array(gzipSync(served.text)) };
}

async function breaksSince({ app, tools, source, signal }: Run, { surface }: ServedApi): Promise<readonly ApiBreak[]> {
  const { api } = await tools.registry.getApiBaseline({ slug: app.spec.slug, source }, { signal }).catch((error: unknown) => {
    if (error instanceof ConnectError && NO_BASELINE.includes(error.code)) return { api: undefined };
    const problem = registryProblem(error);
    // An answer, even a refusal, says something about this baseline only, and is no reason to do nothing for the app.
    throw error instanceof BreakerOpen || AWAY.includes(ConnectError.from(error).code) ? problem : new Error(problem.message, { cause: error });
  });
  if (!api || api.digest === '') return [];
  const baseline = JSON.parse(gunzipSync(api.content, { maxOutputLength: BASELINE_LIMIT }).toString('utf8')) as Surface;
  return breaksBetween(baseline, surface);
}

function stateBreaks(run: Run, { digest }: ServedApi, breaks: readonly ApiBreak[]): void {
  run.findings.api = { ...run.findings.api, served: digest };
  run.findings.apiBreaks = breaks.slice(0, LISTED).map(({ where, what }) => ({ where: where.slice(0, TEXT_LIMIT), what: singleLine(what).slice(0, TEXT_LIMIT) }));
  run.state(CONDITION.apiCompatible, 'False', 'BreakingChanges', messageOf(run, breaks));
}

/** The entry is brought up to date as ever; the baseline stays what it was until somebody says otherwise. */
function stateNotCompared(run: Run, { digest }: ServedApi, detail: string): void {
  run.findings.apiBreaks = undefined;
  run.findings.api = { ...run.findings.api, served: digest };
  const next = `Look at what changed yourself, and take it for what users know from now on: ${acceptCommand(run)}`;
  run.state(CONDITION.apiCompatible, 'Unknown', 'NotCompared', `The API is healthy, but could not be compared with what its users know: ${detail.slice(0, TEXT_LIMIT)}. ${next}`);
}

function incompatible(run: Run, breaks: readonly ApiBreak[]): Stalled {
  return new Stalled(API_INCOMPATIBLE, messageOf(run, breaks));
}

function messageOf(run: Run, breaks: readonly ApiBreak[]): string {
  const first = breaks.slice(0, NAMED).map(({ where, what }) => `${where} ${what}`).join('; ');
  const more = breaks.length > NAMED ? `; and more in status.apiBreaks` : '';
  return `The API breaks its users: ${first}${more}. Take it back, raise the major version in spec.version, or accept it: ${acceptCommand(run)}`;
}

/** It names what was read, not the version: a version may serve something else tomorrow. */
function acceptCommand({ app: { metadata }, findings: { api } }: Run): string {
  return `kubectl -n ${metadata.namespace} annotate sat ${metadata.name} --overwrite ${ACCEPT_API_CHANGES}=${api?.served}`;
}
