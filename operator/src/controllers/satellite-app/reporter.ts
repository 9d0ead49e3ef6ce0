import { createHash } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { messageOf } from '@satellite/kit/core';
import type { Logger } from '@satellite/kit/telemetry';
import type { AppReportSchema } from '@satellite/proto/registry/v1';
import { Waiting } from '../../runtime/errors.js';
import { keyOf, type Key } from '../../runtime/objects.js';
import type { Outcome } from '../../runtime/summarize.js';
import type { RegistryClient } from './registry-client.js';
import type { Run } from './run.js';
import { CONDITION, type SatelliteAppStatus } from './satellite-app.js';

type Conditions = NonNullable<SatelliteAppStatus['conditions']>;
type Report = MessageInitShape<typeof AppReportSchema> & { readonly digest: string };

/** The status is written after the report, so it must not wait long for a Shell that is slow. */
const LIMIT_MS = 5000;
const RETRY_MS = 60_000;
const POINTLESS: readonly Code[] = [Code.Unimplemented, Code.NotFound];
/** The registry step has met a Shell that does not answer: it is not asked again at once. */
const SHELL_IS_AWAY: readonly string[] = ['RegistryUnavailable', 'RegistryForbidden'];

/** Who counts. */
export interface ReportObserver {
  reported(result: 'sent' | 'failed'): void;
}

/**
 * Tells the Shell what was found about the entries that our objects own. Only news: the Shell answers with the digest
 * of what it holds, and between those answers we remember what we told.
 */
export class Reporter {
  private readonly told = new Map<Key, { readonly uid: string; readonly digest: string }>();

  constructor(
    private readonly registry: Pick<RegistryClient, 'reportApp'>,
    private readonly logger: Logger,
    private readonly observer: ReportObserver,
  ) {}

  /** Never fails a reconcile: what could not be told is told soon. */
  async report(run: Run, conditions: Conditions, outcome: Outcome): Promise<void> {
    if (run.signal.aborted || !isOurs(run, conditions) || (outcome instanceof Waiting && SHELL_IS_AWAY.includes(outcome.reason))) return;
    const report = run.app.spec.mode === 'Plan' ? lastReportOf(run, conditions) : reportOf(run, conditions);
    const api = outcome === undefined && run.app.spec.mode === 'Enforce' ? run.newBaseline : undefined;
    const key = keyOf(run.app);
    if (this.heldDigest(run) === report.digest && !api) return;
    try {
      const answer = await this.registry.reportApp({ slug: run.app.spec.slug, source: run.source, report, ...(api && { api: { ...api, version: run.app.spec.version ?? '' } }) }, { signal: run.signal, timeoutMs: LIMIT_MS });
      this.observer.reported('sent');
      this.told.set(key, { uid: run.app.metadata.uid, digest: report.digest });
      if (run.findings.registry) run.noteEntry({ ...answer, id: run.findings.registry.id ?? '' });
      if (api) run.findings.api = { digest: api.digest, version: run.app.spec.version };
    } catch (error) {
      // A Shell from before there were reports, or an entry that has gone: no haste helps it.
      if (POINTLESS.includes(ConnectError.from(error).code)) return void this.told.set(key, { uid: run.app.metadata.uid, digest: report.digest });
      this.observer.reported('failed');
      this.told.delete(key);
      run.recheckWithin(RETRY_MS * (1 + Math.random()));
      this.logger.warn({ key, detail: messageOf(error) }, 'the Shell could not be told what was found; it will be told again');
    }
  }

  /** The object is gone. */
  forget(key: Key): void {
    this.told.delete(key);
  }

  private heldDigest({ app, reportDigest }: Run): string | undefined {
    if (reportDigest !== undefined) return reportDigest;
    const told = this.told.get(keyOf(app));
    return told?.uid === app.metadata.uid ? told.digest : undefined;
  }
}

/** Of an entry that is not this object's there is nothing to tell. */
function isOurs({ findings }: Run, conditions: Conditions): boolean {
  return findings.registry !== undefined || conditions.some(({ type, status }) => type === CONDITION.registered && status === 'True');
}

function reportOf({ app, findings }: Run, conditions: Conditions): Report {
  return digested({ observedGeneration: app.metadata.generation, observedVersion: findings.version ?? '', degraded: findings.health?.degraded ?? false }, conditions);
}

/** Mode Plan leaves the entry to itself: what was found before is not to stand there for ever. The same whatever is found now, so it is told once. */
function lastReportOf({ app, findings }: Run, conditions: Conditions): Report {
  const since = conditions.find(({ type }) => type === CONDITION.ready)?.lastTransitionTime ?? '';
  const left = { type: CONDITION.ready, status: 'Unknown', reason: 'Planned', message: 'Mode Plan: the operator writes nothing for this app and tells nothing more of it; the status of its SatelliteApp says what it finds.', lastTransitionTime: since } as const;
  return digested({ observedGeneration: findings.registry?.generation ?? app.metadata.generation, observedVersion: findings.version ?? '', degraded: false }, [left]);
}

/** The digest is of everything but times: that something is still so is no news. */
function digested(said: { readonly observedGeneration: number; readonly observedVersion: string; readonly degraded: boolean }, conditions: Conditions): Report {
  const sorted = [...conditions].sort((a, b) => (a.type < b.type ? -1 : 1));
  const digest = `sha256:${createHash('sha256').update(JSON.stringify([said, sorted.map(({ type, status, reason, message }) => [type, status, reason, message])])).digest('hex')}`;
  return {
    ...said,
    digest,
    observedGeneration: BigInt(said.observedGeneration),
    conditions: sorted.map(({ type, status, reason, message, lastTransitionTime, observedGeneration = 0 }) => ({ type, status, reason, message, lastTransitionTime, observedGeneration: BigInt(observedGeneration) })),
  };
}
