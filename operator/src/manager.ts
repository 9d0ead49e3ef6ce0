import { systemClock } from '@satellite/kit/core';
import type { OutboundDoor } from '@satellite/kit/outbound';
import { Registry, type Logger } from '@satellite/kit/telemetry';
import { AppMetrics } from './app-metrics.js';
import { feedQueue } from './app-queue.js';
import type { RegistryClient } from './controllers/satellite-app/registry-client.js';
import { OrphanSweep } from './controllers/satellite-app/orphan-sweep.js';
import { Reporter } from './controllers/satellite-app/reporter.js';
import { SatelliteAppReconciler } from './controllers/satellite-app/satellite-app.reconciler.js';
import type { SatelliteApp } from './controllers/satellite-app/satellite-app.js';
import { Sightings } from './controllers/satellite-app/sightings.js';
import { StatusWriter } from './controllers/satellite-app/status-writer.js';
import { observeBreaker } from './registry-breaker.js';
import type { CircuitBreaker } from './runtime/circuit-breaker.js';
import { Controller, type Reconcile } from './runtime/controller.js';
import type { LeaderElector } from './runtime/leader-election.js';
import { ControllerMetrics, QueueMetrics } from './runtime/metrics.js';
import { systemTimers } from './runtime/timers.js';
import { WorkQueue } from './runtime/workqueue.js';
import type { ResourceStore } from './sources/resource-store.js';

const NAME = 'satelliteapp';
const RECONCILE_LIMIT_MS = 60_000;
/** What is not done by then is cut off and left to whoever leads next: it must not wait for our slowest probe. */
const DRAIN_LIMIT_MS = 1500;

export interface OperatorConfig {
  /** Public URL of the platform, against which paths in manifests are resolved. */
  readonly platformUrl: string;
  /** Reconciles at the same time. */
  readonly workers: number;
  /** Which cluster or folder the objects are in; undefined = unknown. */
  readonly installation?: string;
  /** Time between two checks of an app that has just begun to fail, or to recover. */
  readonly recheckMs: number;
  /** Only objects of this namespace are ours; all unless given. */
  readonly namespace?: string;
  /** Time between two searches for entries without an object. */
  readonly sweepMs: number;
}

export interface OperatorParts {
  readonly config: OperatorConfig;
  readonly source: ResourceStore<SatelliteApp>;
  readonly registry: RegistryClient;
  /** What stands before the registry: objects that wait for it are fetched when it closes. */
  readonly breaker?: CircuitBreaker;
  readonly door: Pick<OutboundDoor, 'fetch'>;
  readonly logger: Logger;
  readonly metrics?: Registry;
  /** Without one this process is the only operator and always leads. */
  readonly elector?: LeaderElector;
}

export interface Operator {
  /** Resolves when objects are mirrored and work has begun (or, as a standby, when it waits for the lead). */
  start(): Promise<void>;
  /**
   * Finishes what is being worked on, gives up the lead, writes the last events.
   * @param graceMs time for work in progress before it is cut off
   */
  stop(graceMs?: number): Promise<void>;
  /** Every object is known. */
  ready(): boolean;
  /** What is wrong when this process should be restarted; undefined while all is well. */
  unhealthy(): string | undefined;
  /** Resolves when the lead was lost: then the process has to end, because another one works now. */
  readonly lost: Promise<void>;
}

/** Wires an operator: source → queue → reconciler → registry. */
export function createOperator(parts: OperatorParts): Operator {
  const { source, elector, logger } = parts;
  let works = false;
  const { controller, queue, observer } = createController(parts, () => works);
  const sweep = new OrphanSweep({ apps: source, registry: parts.registry, ...parts.config, intervalMs: parts.config.sweepMs, logger, observer });
  const unsubscribe = feedQueue(source, queue);
  let stopping: Promise<void> | undefined;
  const stop = async (graceMs: number): Promise<void> => {
    unsubscribe();
    sweep.stop();
    await controller.stop(graceMs);
    works = false;
    await elector?.stop();
    await source.events.flush();
    await source.stop();
    logger.info('operator stopped');
  };
  return {
    async start() {
      await source.start();
      await source.untilSynced();
      const work = (): void => {
        logger.info({ objects: source.list().length, workers: parts.config.workers }, 'operator works');
        works = true;
        controller.start();
        sweep.start();
      };
      if (elector) void elector.start(work);
      else work();
    },
    stop: (graceMs = DRAIN_LIMIT_MS) => (stopping ??= stop(graceMs)),
    ready: () => source.hasSynced(),
    // Only what a new process would cure: that the API server, the Shell or a folder is away is none of it.
    unhealthy: () => source.unhealthy() ?? controller.unhealthy() ?? elector?.unhealthy(),
    lost: elector?.lost ?? new Promise<void>(() => undefined),
  };
}

function createController({ config, source, registry, breaker, door, logger, metrics = new Registry() }: OperatorParts, leads: () => boolean): { readonly controller: Controller; readonly queue: WorkQueue; readonly observer: AppMetrics } {
  const controllerMetrics = new ControllerMetrics(metrics, NAME);
  const queue = new WorkQueue({ observer: new QueueMetrics(metrics, NAME) });
  const observer = new AppMetrics({ registry: metrics, controller: NAME, clock: systemClock, apps: source, leads });
  const reporter = new Reporter(registry, logger, observer);
  const status = new StatusWriter({ apps: source, reporter, clock: systemClock, timers: systemTimers, logger, observer });
  const reconciler = new SatelliteAppReconciler({ apps: source, registry, door, ...config, timers: systemTimers, clock: systemClock, status, observer, sightings: new Sightings() });
  const reconcile: Reconcile = (key, signal) => reconciler.reconcile(key, signal);
  const controller = new Controller({
    name: NAME,
    queue,
    reconcile: breaker ? observeBreaker({ breaker, queue, reconcile, controller: NAME, logger, metrics }) : reconcile,
    workers: config.workers,
    timeoutMs: RECONCILE_LIMIT_MS,
    recheckMs: (key) => {
      const app = source.get(key);
      return app && reconciler.intervalMs(app);
    },
    metrics: controllerMetrics,
    logger,
  });
  return { controller, queue, observer };
}
