import type { Logger, Registry } from '@satellite/kit/telemetry';
import { REGISTRY_UNAVAILABLE } from './controllers/satellite-app/registry-messages.js';
import { Instruments } from './monitoring/instruments.js';
import type { BreakerState, CircuitBreaker } from './runtime/circuit-breaker.js';
import type { Reconcile } from './runtime/controller.js';
import { WaitingRoom } from './runtime/waiting-room.js';
import type { WorkQueue } from './runtime/workqueue.js';

export interface ObservedBreaker {
  readonly breaker: CircuitBreaker;
  readonly queue: WorkQueue;
  readonly reconcile: Reconcile;
  readonly controller: string;
  readonly logger: Logger;
  readonly metrics: Registry;
}

const NUMBERS: Readonly<Record<BreakerState, number>> = { closed: 0, 'half-open': 1, open: 2 };

/** Shows the breaker before the registry in metrics and log; answers a reconcile whose keys are fetched when it closes. */
export function observeBreaker({ breaker, queue, reconcile, controller, logger, metrics }: ObservedBreaker): Reconcile {
  new Instruments(metrics).gauge('satellite_operator_registry_breaker_state', (gauge) => gauge.set({ controller }, NUMBERS[breaker.state]));
  breaker.subscribe((state, { problem, retryMs }) => {
    if (state === 'open') logger.warn({ detail: problem, retryMs: Math.round(retryMs) }, 'the registry does not answer: it is not called for a while');
    else logger.info(state === 'closed' ? 'the registry answers: what waited for it goes on' : 'the registry is tried with one call');
  });
  const room = new WaitingRoom({ queue, breaker, reason: REGISTRY_UNAVAILABLE });
  return (key, signal) => room.watch(key, () => reconcile(key, signal));
}
