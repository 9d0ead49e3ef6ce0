import { ManualTimers, settle } from '../../test/support/manual-timers.js';
import { WorkQueue } from './workqueue.js';

const queueWith = (options: { random?: () => number } = {}) => {
  const timers = new ManualTimers();
  return { timers, queue: new WorkQueue({ timers, random: options.random ?? (() => 1), baseDelayMs: 750, maxDelayMs: 900_000 }) };
};

describe('WorkQueue', () => {
  it('hands out a key once however often it was added', async () => {
    const { queue } = queueWith();
    for (let time = 0; time < 50; time += 1) queue.add('a');
    expect(queue.depth).toBe(1);
    expect(await queue.get()).toBe('a');
    expect(queue.depth).toBe(0);
  });

  it('hands a key added during its work out again, once, after done', async () => {
    const { queue } = queueWith();
    queue.add('a');
    await queue.get();
    queue.add('a');
    queue.add('a');
    expect(queue.depth).toBe(0);
    queue.done('a');
    expect(queue.depth).toBe(1);
    expect(await queue.get()).toBe('a');
    queue.done('a');
    expect(queue.depth).toBe(0);
  });

  it('gives a key to one worker at a time, with many workers and adders at once', async () => {
    const queue = new WorkQueue();
    const active = new Map<string, number>();
    const runs = new Map<string, number>();
    let overlaps = 0;
    const worker = async () => {
      for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
        const now = (active.get(key) ?? 0) + 1;
        if (now > 1) overlaps += 1;
        active.set(key, now);
        await new Promise((resolve) => setImmediate(resolve));
        runs.set(key, (runs.get(key) ?? 0) + 1);
        active.set(key, now - 1);
        queue.done(key);
      }
    };
    const workers = Array.from({ length: 8 }, worker);
    const adder = async (seed: number) => {
      for (let turn = 0; turn < 200; turn += 1) {
        queue.add(`key-${(turn * seed) % 7}`, turn % 2 ? 'high' : 'low');
        if (turn % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await Promise.all([1, 2, 3, 5].map(adder));
    while (queue.depth > 0) await settle();
    await queue.drain();
    await Promise.all(workers);
    expect(overlaps).toBe(0);
    expect([...runs.keys()].sort()).toEqual(Array.from({ length: 7 }, (_, index) => `key-${index}`));
    expect([...runs.values()].reduce((sum, count) => sum + count, 0)).toBeLessThan(800);
  });

  it('prefers new and changed objects to periodic ones, and lifts a waiting key', async () => {
    const { queue } = queueWith();
    for (const key of ['low-1', 'low-2', 'lifted']) queue.add(key, 'low');
    queue.add('high');
    queue.add('lifted', 'high');
    queue.add('high', 'low');
    expect([await queue.get(), await queue.get(), await queue.get(), await queue.get()]).toEqual(['high', 'lifted', 'low-1', 'low-2']);
  });

  it('gives low keys every eighth turn while high ones never end', async () => {
    const { queue } = queueWith();
    for (let at = 0; at < 40; at += 1) queue.add(`high-${at}`);
    for (const key of ['low-1', 'low-2', 'low-3']) queue.add(key, 'low');
    const picked: (string | undefined)[] = [];
    for (let at = 0; at < 32; at += 1) picked.push(await queue.get());
    expect(picked.flatMap((key, at) => (key?.startsWith('low') ? [`${key} at ${at + 1}`] : []))).toEqual(['low-1 at 8', 'low-2 at 16', 'low-3 at 24']);
    queue.add('low-4', 'low');
    for (let at = 0; at < 7; at += 1) expect(await queue.get()).toBe(`high-${29 + at}`);
    expect(await queue.get()).toBe('low-4');
  });

  it('tries again at once with what changed, and lets what fails on and on wait behind new objects', async () => {
    const { queue, timers } = queueWith();
    const failThenBeside = async (other: 'high' | 'low') => {
      queue.addRateLimited('failing', 1000);
      queue.addAfter('other', 1, other);
      await timers.advance(1000);
      const order = [await queue.get(), await queue.get()];
      for (const key of order) queue.done(key as string);
      return order;
    };
    expect(await failThenBeside('low')).toEqual(['failing', 'other']);
    expect(await failThenBeside('high')).toEqual(['other', 'failing']);
    expect(await failThenBeside('low')).toEqual(['other', 'failing']);
    queue.add('failing', 'high');
    queue.add('new', 'low');
    expect([await queue.get(), await queue.get()]).toEqual(['failing', 'new']);
  });

  it('keeps the higher priority of a key that was added during its work', async () => {
    const { queue } = queueWith();
    queue.add('a', 'low');
    await queue.get();
    queue.add('a', 'high');
    queue.add('a', 'low');
    queue.add('b', 'low');
    queue.done('a');
    expect(await queue.get()).toBe('a');
  });

  it('adds later, by the shortest of several delays', async () => {
    const { queue, timers } = queueWith();
    queue.addAfter('a', 5000);
    queue.addAfter('a', 1000);
    queue.addAfter('a', 9000);
    await timers.advance(999);
    expect(queue.depth).toBe(0);
    await timers.advance(1);
    expect(queue.depth).toBe(1);
    await timers.advance(20_000);
    expect(queue.depth).toBe(1);
  });

  it('forgets a delay when the key is worked on before', async () => {
    const { queue, timers } = queueWith();
    queue.addAfter('a', 5000);
    queue.add('a');
    queue.done((await queue.get()) as string);
    await timers.advance(10_000);
    expect(queue.depth).toBe(0);
  });

  it('backs off exponentially to the ceiling, with full jitter, until forgotten', async () => {
    const { queue, timers } = queueWith();
    const delays: number[] = [];
    for (let failure = 0; failure < 13; failure += 1) {
      queue.addRateLimited('a');
      const before = timers.now();
      while (queue.depth === 0) await timers.advance(250);
      delays.push(timers.now() - before);
      queue.done((await queue.get()) as string);
    }
    expect(delays).toEqual([750, 1500, 3000, 6000, 12_000, 24_000, 48_000, 96_000, 192_000, 384_000, 768_000, 900_000, 900_000]);
    queue.forget('a');
    expect(queue.failuresOf('a')).toBe(0);
    const halved = queueWith({ random: () => 0.5 });
    halved.queue.addRateLimited('b');
    await halved.timers.advance(375);
    expect(halved.queue.depth).toBe(1);
  });

  it('bounds the delay of one retry', async () => {
    const { queue, timers } = queueWith();
    for (let failure = 0; failure < 10; failure += 1) {
      queue.addRateLimited('a', 15_000);
      await timers.advance(15_000);
      queue.done((await queue.get()) as string);
    }
    expect(queue.failuresOf('a')).toBe(10);
  });

  it('drains: waits for work in progress, hands out nothing more', async () => {
    const { queue } = queueWith();
    queue.add('a');
    queue.add('b');
    await queue.get();
    let drained = false;
    const draining = queue.drain().then(() => (drained = true));
    expect(await queue.get()).toBeUndefined();
    queue.add('c');
    await settle();
    expect(drained).toBe(false);
    queue.done('a');
    await draining;
  });
});
