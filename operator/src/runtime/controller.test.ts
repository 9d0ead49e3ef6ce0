import { Registry } from '@satellite/kit/telemetry';
import { ManualTimers, settle } from '../../test/support/manual-timers.js';
import { silentLogger } from '../../test/support/silent-logger.js';
import { ApiUnreachable } from './api-error.js';
import { Controller, type Reconcile } from './controller.js';
import { Stalled, Waiting } from './errors.js';
import { ControllerMetrics, QueueMetrics } from './metrics.js';
import { WorkQueue } from './workqueue.js';

describe('Controller', () => {
  let timers: ManualTimers;
  let registry: Registry;
  let queue: WorkQueue;
  let controller: Controller;

  const begin = (reconcile: Reconcile, workers = 2) => {
    timers = new ManualTimers();
    registry = new Registry();
    queue = new WorkQueue({ timers, random: () => 1, observer: new QueueMetrics(registry, 'test', timers) });
    controller = new Controller({ name: 'test', queue, reconcile, workers, timeoutMs: 1000, recheckMs: () => 60_000, metrics: new ControllerMetrics(registry, 'test'), logger: silentLogger, timers });
    controller.start();
  };
  const value = async (metric: string, labels: Record<string, string> = {}) => {
    const found = (await registry.getSingleMetric(metric)?.get())?.values.find((sample) => Object.entries(labels).every(([name, wanted]) => sample.labels[name] === wanted));
    return found?.value;
  };
  const outcomes: [string, () => Promise<object>, number | undefined, string][] = [
    ['success', async () => ({}), undefined, 'success'],
    ['a later look', async () => ({ requeueAfterMs: 5000 }), 5000, 'requeue_after'],
    ['Waiting', async () => { throw new Waiting('Later', 'not yet'); }, 750, 'requeue'],
    ['Waiting with a time', async () => { throw new Waiting('Later', 'not yet', { afterMs: 3000 }); }, 3000, 'requeue'],
    ['Stalled', async () => { throw new Stalled('Wrong', 'change it'); }, 60_000, 'error'],
    ['an error', async () => { throw new Error('broken'); }, 750, 'error'],
  ];

  it.each(outcomes)('after %s the key comes again at the right time', async (_what, reconcile, delayMs, result) => {
    let runs = 0;
    begin(async () => {
      runs += 1;
      return reconcile();
    });
    queue.add('a');
    await settle();
    expect(await value('controller_runtime_reconcile_total', { result })).toBe(1);
    if (delayMs === undefined) {
      await timers.advance(10_000_000);
      expect(runs).toBe(1);
    } else {
      await timers.advance(delayMs - 1);
      expect(runs).toBe(1);
      await timers.advance(1);
      expect(runs).toBe(2);
    }
    await controller.stop(1000);
  });

  it.each([
    ['periodic', undefined, ['new', 'a']],
    ['urgent', true, ['a', 'new']],
  ])('takes a retry after a time for %s', async (_what, urgent, order) => {
    const runs: string[] = [];
    let release: () => void = () => undefined;
    begin(async (key) => {
      runs.push(key);
      if (key === 'busy') await new Promise<void>((resolve) => (release = resolve));
      if (key === 'a') throw new Waiting('Later', 'not yet', { afterMs: 500, urgent });
      return {};
    }, 1);
    queue.add('a');
    await settle();
    queue.add('busy');
    await timers.advance(500);
    queue.add('new');
    release();
    await settle();
    expect(runs).toEqual(['a', 'busy', ...order]);
    await controller.stop(0);
  });

  it('counts programming errors as panics and survives them', async () => {
    begin(async () => (undefined as unknown as { deep: { value: object } }).deep.value);
    queue.add('a');
    await settle();
    expect(await value('controller_runtime_reconcile_panics_total')).toBe(1);
    expect(await value('controller_runtime_active_workers')).toBe(0);
    await controller.stop(1000);
  });

  it('tells a reconcile that takes too long to stop, and never runs a key twice meanwhile', async () => {
    let active = 0;
    let most = 0;
    begin(async (_key, signal) => {
      most = Math.max(most, ++active);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      active -= 1;
      throw signal.reason as Error;
    });
    queue.add('a');
    await timers.advance(500);
    queue.add('a');
    expect(controller.longestRunMs()).toBe(500);
    await timers.advance(500);
    expect(await value('controller_runtime_reconcile_timeouts_total')).toBe(1);
    expect(most).toBe(1);
    const stopping = controller.stop(0);
    await timers.advance(0);
    await stopping;
  });

  it('stops: finishes what runs, cuts it off after the grace', async () => {
    let cut = false;
    begin(async (_key, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      cut = true;
      return {};
    }, 1);
    queue.add('a');
    queue.add('b');
    await settle();
    const stopping = controller.stop(600);
    await timers.advance(599);
    expect(cut).toBe(false);
    await timers.advance(1);
    await stopping;
    expect(cut).toBe(true);
  });

  it('does what the API server kept from being done soon after it is back, however often it has failed', async () => {
    let runs = 0;
    begin(async () => {
      runs += 1;
      throw new ApiUnreachable('no answer');
    });
    queue.add('a');
    await timers.advance(150_000);
    expect(runs).toBeGreaterThan(12);
    await controller.stop(0);
  });

  it('says nothing of work that was cut off because the process ends', async () => {
    begin(async (_key, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      throw signal.reason as Error;
    });
    queue.add('a');
    await settle();
    const stopping = controller.stop(0);
    await timers.advance(0);
    await stopping;
    expect(await value('controller_runtime_reconcile_errors_total')).toBe(0);
  });

  it('is unhealthy only when a reconcile heeds no limit', async () => {
    let release: () => void = () => undefined;
    begin(() => new Promise((resolve) => (release = () => resolve({}))));
    queue.addAfter('later', 3_600_000);
    await timers.advance(3_000_000);
    expect(controller.unhealthy()).toBeUndefined();
    queue.add('a');
    await timers.advance(2000);
    expect(controller.unhealthy()).toBeUndefined();
    await timers.advance(1);
    expect(controller.unhealthy()).toContain('a reconcile does not end');
    release();
    await settle();
    expect(controller.unhealthy()).toBeUndefined();
    await controller.stop(0);
  });

  it('is unhealthy when nobody takes what is due, but not as a standby, whose workers do not run', async () => {
    begin(async () => ({}));
    await controller.stop(0);
    timers = new ManualTimers();
    // Timers that fail to fire: the worst that can happen to a queue without anybody noticing.
    queue = new WorkQueue({ timers: { ...timers, now: () => timers.now(), set: () => 0, clear: () => undefined } });
    controller = new Controller({ name: 'test', queue, reconcile: async () => ({}), workers: 2, timeoutMs: 1000, metrics: new ControllerMetrics(new Registry(), 'test'), logger: silentLogger, timers });
    queue.addAfter('a', 1000);
    await timers.advance(600_000);
    expect(controller.unhealthy()).toBeUndefined();
    controller.start();
    await settle();
    expect(controller.unhealthy()).toContain('no worker takes');
    await controller.stop(0);
  });
});
