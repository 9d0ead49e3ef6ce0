import type { OutboundDoor } from '@satellite/kit/outbound';
import type { SatelliteApp, SatelliteAppSpec, SatelliteAppStatus } from '../../src/controllers/satellite-app/satellite-app.js';
import { SATELLITE_APP, SATELLITE_APP_SPEC_SCHEMA } from '../../src/controllers/satellite-app/satellite-app.js';
import { SatelliteAppReconciler } from '../../src/controllers/satellite-app/satellite-app.reconciler.js';
import { Reporter } from '../../src/controllers/satellite-app/reporter.js';
import { Sightings } from '../../src/controllers/satellite-app/sightings.js';
import { StatusWriter } from '../../src/controllers/satellite-app/status-writer.js';
import type { EventNote } from '../../src/runtime/events.js';
import { systemTimers } from '../../src/runtime/timers.js';
import { CustomResourceSchema } from '../../src/sources/directory/custom-resource-schema.js';
import type { ResourceStore } from '../../src/sources/resource-store.js';
import type { RegistryDouble } from './registry-double.js';
import { silentLogger } from './silent-logger.js';

/** How one reconcile ended. */
export interface Ending {
  readonly requeueAfterMs?: number;
  /** Reason of what it threw. */
  readonly reason?: string;
  readonly retryAfterMs?: number;
}

/** One object and its reconciler, on a calendar that stands still until a test moves it. */
export class ReconciledApp {
  readonly events: EventNote[] = [];
  /** What metrics count of its roll-outs. */
  readonly counted: string[] = [];
  /** Addresses below which nothing answers. */
  readonly down = new Set<string>();
  /** How its API describes itself. */
  openapi: object = { openapi: '3.0.0', paths: {} };
  nowMs = Date.parse('2026-01-01T00:00:00Z');
  statusWrites = 0;
  /** Status writes are lost while it is set, as when the process dies before one. */
  losesStatus = false;
  /** What its front-end serves. */
  frontEnd: (url: string) => string = () => 'export {};';
  /** One process does all reconciles from now on. */
  stays = false;
  private sightings = new Sightings();
  private object: SatelliteApp;
  private readonly schema = new CustomResourceSchema(SATELLITE_APP_SPEC_SCHEMA, 'spec');

  constructor(
    private readonly registry: RegistryDouble,
    readonly name: string,
    spec: Record<string, unknown>,
  ) {
    this.object = {
      apiVersion: SATELLITE_APP.apiVersion,
      kind: SATELLITE_APP.kind,
      metadata: { name, namespace: 'default', uid: `uid-${name}`, generation: 1, resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: this.validated(spec),
    };
  }

  get spec(): SatelliteAppSpec {
    return this.object.spec;
  }

  get status(): SatelliteAppStatus {
    return this.object.status ?? { observedGeneration: -1 };
  }

  /** The registry's entry, as far as roll-outs are concerned. */
  get entry() {
    const entry = this.registry.entries.get(this.object.spec.slug);
    const { uiUrl, version, organizationPercent, uiCanary } = entry?.app ?? {};
    return entry && { uiUrl, version, organizationPercent, canary: uiCanary && { uiUrl: uiCanary.uiUrl, version: uiCanary.version, percent: uiCanary.percent }, step: entry.source?.step };
  }

  condition(type: string) {
    const found = this.status.conditions?.find((condition) => condition.type === type);
    return found && { status: found.status, reason: found.reason, message: found.message };
  }

  /** As kubectl apply of the changed fields. */
  change(spec: Record<string, unknown>): void {
    const { metadata } = this.object;
    this.object = { ...this.object, metadata: { ...metadata, generation: metadata.generation + 1 }, spec: this.validated({ ...this.object.spec, ...spec }) };
  }

  /** As after a restore from a backup: objects come back without their status. */
  forgetStatus(): void {
    this.object = { ...this.object, status: { observedGeneration: -1 } };
  }

  /** One reconcile by a new process, unless it stays: it knows nothing but the object and the registry. */
  async reconcile(afterMs = 0): Promise<Ending> {
    this.nowMs += afterMs;
    if (!this.stays) this.sightings = new Sightings();
    const clock = { now: () => this.nowMs };
    const [registry, observer] = [this.registry.client(), { firstReady: () => undefined, deleted: () => undefined, looked: () => undefined, forget: () => undefined, rollOutPaused: (part: string) => void this.counted.push(`${part} paused`), rolledBack: () => void this.counted.push('rolled back') }];
    const status = new StatusWriter({ apps: this.store(), clock, timers: systemTimers, logger: silentLogger, reporter: new Reporter(registry, silentLogger, { reported: () => undefined }), observer });
    const reconciler = new SatelliteAppReconciler({ apps: this.store(), registry, door: this.door(), platformUrl: 'http://platform.test', timers: systemTimers, clock, recheckMs: 30_000, observer, sightings: this.sightings, status, random: () => 0 });
    try {
      return await reconciler.reconcile(`default/${this.name}`, new AbortController().signal);
    } catch (error) {
      const { reason, retry } = error as { readonly reason?: string; readonly retry?: { readonly afterMs?: number } };
      if (reason === undefined) throw error;
      return { reason, retryAfterMs: retry?.afterMs };
    }
  }

  private validated(spec: Record<string, unknown>): SatelliteAppSpec {
    const { value, problems } = this.schema.check(spec, undefined);
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
    return value as SatelliteAppSpec;
  }

  private door(): Pick<OutboundDoor, 'fetch'> {
    return {
      fetch: (url) => {
        if ([...this.down].some((prefix) => url.startsWith(prefix))) return Promise.reject(new Error('connection refused'));
        const [type, body] = url.endsWith('.js') ? ['text/javascript', this.frontEnd(url)] : ['application/json', JSON.stringify(this.openapi)];
        return Promise.resolve({ status: 200, url, headers: { 'content-type': type, 'access-control-allow-origin': '*' }, body: Buffer.from(body) } as Awaited<ReturnType<OutboundDoor['fetch']>>);
      },
    };
  }

  private store(): ResourceStore<SatelliteApp> {
    const later = (): Promise<void> => Promise.resolve();
    return {
      events: { record: (_object, event) => void this.events.push(event), flush: later },
      start: later, stop: later, untilSynced: later, hasSynced: () => true, silentMs: () => 0, unhealthy: () => undefined, subscribe: () => () => undefined,
      get: () => this.object,
      read: () => Promise.resolve(this.object),
      others: () => Promise.resolve(new Set()),
      list: () => [this.object],
      inIndex: () => [this.object],
      writeStatus: (_object, status) => {
        this.statusWrites += 1;
        // What the API server stores is JSON.
        if (!this.losesStatus) this.object = { ...this.object, status: JSON.parse(JSON.stringify(status)) as SatelliteAppStatus };
        return Promise.resolve(this.object);
      },
      writeFinalizers: (_object, finalizers) => {
        this.object = { ...this.object, metadata: { ...this.object.metadata, finalizers } };
        return Promise.resolve(this.object);
      },
    };
  }
}
