import { ManualTimers, settle } from '../../test/support/manual-timers.js';
import { BreakerOpen, CircuitBreaker } from './circuit-breaker.js';
import { Waiting } from './errors.js';
import { WaitingRoom } from './waiting-room.js';
import { WorkQueue } from './workqueue.js';

const REASON = 'Away';

describe('WaitingRoom', () => {
  let timers: ManualTimers;
  let breaker: CircuitBreaker;
  let queue: WorkQueue;
  let room: WaitingRoom;

  beforeEach(() => {
    timers = new ManualTimers();
    queue = new WorkQueue({ timers, random: () => 1 });
    breaker = new CircuitBreaker({ probe: () => Promise.resolve(), isOutage: () => true, threshold: 1, baseMs: 60_000, timers, random: () => 1 });
    room = new WaitingRoom({ queue, breaker, reason: REASON, random: () => 1 });
  });

  const fail = (key: string, error: Error) => room.watch(key, () => Promise.reject(error)).catch(() => undefined);
  const open = () => breaker.call(() => Promise.reject(new Error('down'))).catch(() => undefined);
  /** Time until the key may be worked on; undefined when it is not to come within an hour. */
  const comesAfter = async (key: string): Promise<number | undefined> => {
    const from = timers.now();
    for (; timers.now() - from < 3_600_000; await timers.advance(5)) {
      if (queue.depth === 0) continue;
      const next = await queue.get();
      if (next === key) return timers.now() - from;
    }
    return undefined;
  };

  it('lets go when the breaker closes, long before the delays are over, one after the other', async () => {
    await open();
    const keys = Array.from({ length: 40 }, (_, index) => `key-${index}`);
    for (const key of keys) {
      queue.addAfter(key, 900_000, 'high');
      await fail(key, new Waiting(REASON, 'not now'));
    }
    await timers.advance(59_999);
    expect(queue.depth).toBe(0);
    await timers.advance(1 + 40 * 5);
    expect(queue.depth).toBe(40);
  });

  it('keeps nobody who waits for something else, or is done', async () => {
    await open();
    await fail('other', new Waiting('Other', 'not now'));
    await fail('done', new Waiting(REASON, 'not now'));
    await room.watch('done', () => Promise.resolve({}));
    await timers.advance(120_000);
    await settle();
    expect(queue.depth).toBe(0);
  });

  it('does not keep somebody for whom it closed while they were on their way', async () => {
    await fail('late', new Waiting(REASON, 'not now', {}, { cause: new BreakerOpen('open', 1000) }));
    expect(await comesAfter('late')).toBe(1000);
  });
});
