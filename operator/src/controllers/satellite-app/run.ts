import type { OutboundDoor } from '@satellite/kit/outbound';
import type { ConditionDraft } from '../../runtime/conditions.js';
import type { Timers } from '../../runtime/timers.js';
import type { ResourceStore } from '../../sources/resource-store.js';
import type { RegistryClient } from './registry-client.js';
import type { SatelliteApp, SatelliteAppStatus } from './satellite-app.js';

/** What steps work with. */
export interface StepTools {
  readonly apps: Pick<ResourceStore<SatelliteApp>, 'inIndex' | 'events'>;
  readonly registry: RegistryClient;
  readonly door: Pick<OutboundDoor, 'fetch'>;
  /** Public URL of the platform, against which paths are resolved. */
  readonly platformUrl: string;
  readonly timers: Timers;
}

/** Facts that steps find and the status shows. */
export type Findings = Partial<Pick<SatelliteAppStatus, 'registry' | 'version' | 'differences' | 'uiDigest'>>;

/** One reconcile of one app: what is known at its start, and what its steps find. */
export class Run {
  private readonly drafts = new Map<string, ConditionDraft>();
  readonly findings: { -readonly [Field in keyof Findings]: Findings[Field] };

  /** Findings and step conditions of the last run hold until a step says otherwise. */
  constructor(
    readonly app: SatelliteApp,
    readonly tools: StepTools,
    readonly signal: AbortSignal,
    kept: readonly string[],
  ) {
    const { registry, version, differences, uiDigest, conditions } = app.status ?? { observedGeneration: -1 };
    this.findings = { registry, version, differences, uiDigest };
    for (const { type, status, reason, message } of conditions ?? []) if (kept.includes(type)) this.drafts.set(type, { type, status, reason, message });
  }

  /** States a condition; the last word of a run counts. */
  state(type: string, status: ConditionDraft['status'], reason: string, message: string): void {
    this.drafts.set(type, { type, status, reason, message });
  }

  withdraw(type: string): void {
    this.drafts.delete(type);
  }

  get conditions(): readonly ConditionDraft[] {
    return [...this.drafts.values()];
  }
}

/** Part of a reconcile; throws Stalled or Waiting when the ones after it must not run. */
export type Step = (run: Run) => Promise<void> | void;
