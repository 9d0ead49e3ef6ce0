import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Clock } from '@satellite/kit/core';
import type { OutboundDoor } from '@satellite/kit/outbound';
import type { ConditionDraft } from '../../runtime/conditions.js';
import type { Success } from '../../runtime/summarize.js';
import type { Timers } from '../../runtime/timers.js';
import type { ResourceStore } from '../../sources/resource-store.js';
import type { AppSourceSchema } from '@satellite/proto/registry/v1';
import type { Surface } from './api/surface.js';
import type { LifeObserver } from './life-observer.js';
import type { RegistryClient } from './registry-client.js';
import { registrySource, registryStatus } from './registry-messages.js';
import { wavesOf, type RollOut } from './roll-out/roll-out.js';
import { CONDITION, type SatelliteApp, type SatelliteAppStatus } from './satellite-app.js';
import type { Sightings } from './sightings.js';

/** What steps work with. */
export interface StepTools {
  readonly apps: Pick<ResourceStore<SatelliteApp>, 'inIndex' | 'events'>;
  readonly registry: RegistryClient;
  readonly door: Pick<OutboundDoor, 'fetch'>;
  /** Public URL of the platform, against which paths are resolved. */
  readonly platformUrl: string;
  readonly timers: Timers;
  /** Of the calendar, for times that outlive the process. */
  readonly clock: Clock;
  /** Which cluster or folder the objects are in; undefined = unknown. */
  readonly installation?: string;
  /** Time between two checks of an app that is between well and degraded. */
  readonly recheckMs: number;
  readonly observer: LifeObserver;
  readonly sightings: Sightings;
}

/** Facts that steps find and the status shows. */
export type Findings = Partial<Pick<SatelliteAppStatus, 'registry' | 'version' | 'differences' | 'uiDigest' | 'health' | 'lastDrift' | 'api' | 'apiBreaks' | 'rollout' | 'enablement'>>;

/** A registry entry as the Shell's answers describe it. */
interface EntryState {
  readonly id: string;
  readonly revision: bigint;
  readonly cachedRevision: bigint;
}

/** What users of an API depend on, as read from the document it serves. */
export interface ServedApi {
  readonly surface: Surface;
  readonly text: string;
  readonly digest: string;
}

/** One reconcile of one app: what is known at its start, and what its steps find. */
export class Run {
  private readonly drafts = new Map<string, ConditionDraft>();
  /** The roll-outs of this object, if it has any. */
  rollOut: RollOut | undefined;
  /** Set when the run ends well but the object is not yet where it shall be. */
  progress: Success | undefined;
  readonly findings: { -readonly [Field in keyof Findings]: Findings[Field] };
  readonly startedAt: number;
  /** An event has said that the app is new in the registry. */
  announced = false;
  /** Digest of the report that the Shell holds, once it has told. */
  reportDigest: string | undefined;
  /** What the API is as it answers now; undefined when it does not tell. */
  servedApi: ServedApi | undefined;
  /** What the API now is, when later descriptions are to be compared with it. */
  newBaseline: { readonly digest: string; readonly content: Uint8Array<ArrayBuffer> } | undefined;
  private recheck = Number.POSITIVE_INFINITY;

  /** Findings and step conditions of the last run hold until a step says otherwise. */
  constructor(
    readonly app: SatelliteApp,
    readonly tools: StepTools,
    readonly signal: AbortSignal,
    kept: readonly string[],
  ) {
    const { registry, version, differences, uiDigest, health, lastDrift, api, apiBreaks, rollout, enablement, conditions } = app.status ?? { observedGeneration: -1 };
    this.findings = { registry, version, differences, uiDigest, health, lastDrift, api, apiBreaks, rollout: app.spec.rollout && rollout, enablement: wavesOf(app) && enablement };
    this.startedAt = tools.clock.now();
    for (const { type, status, reason, message } of conditions ?? []) if (kept.includes(type)) this.drafts.set(type, { type, status, reason, message });
    if (!app.spec.rollout && !wavesOf(app)) this.withdraw(CONDITION.rolledOut);
  }

  /** States a condition; the last word of a run counts. */
  state(type: string, status: ConditionDraft['status'], reason: string, message: string): void {
    this.stateAs({ type, status, reason, message });
  }

  stateAs(draft: ConditionDraft): void {
    this.drafts.set(draft.type, draft);
  }

  withdraw(type: string): void {
    this.drafts.delete(type);
  }

  /** Who this run writes the registry for. */
  get source(): MessageInitShape<typeof AppSourceSchema> {
    return registrySource(this.app, this.tools.installation);
  }

  /** @param generation of the object that the entry now says; unless given, the one that it said */
  noteEntry(entry: EntryState, generation = this.findings.registry?.generation): void {
    this.findings.registry = { ...registryStatus(entry), ...(generation !== undefined && { generation }) };
  }

  /** This is not to wait for the interval of the object. */
  recheckWithin(delayMs: number): void {
    this.recheck = Math.min(this.recheck, delayMs);
  }

  get recheckMs(): number {
    return this.recheck;
  }

  get conditions(): readonly ConditionDraft[] {
    return [...this.drafts.values()];
  }
}

/** Part of a reconcile; throws Stalled or Waiting when the ones after it must not run. */
export type Step = (run: Run) => Promise<void> | void;
