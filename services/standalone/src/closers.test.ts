import { Closers } from './closers.js';

describe('closers', () => {
  const problems: string[] = [];
  beforeEach(() => problems.splice(0));

  it('close in the reverse order, once, and go on after one that fails', async () => {
    const closers = new Closers((message) => problems.push(message));
    const order: string[] = [];
    closers.add('first', async () => void order.push('first'));
    closers.add('second', () => Promise.reject(new Error('stuck valve')));
    closers.addQuietly('third', async () => void order.push('third'));
    const told: string[] = [];
    await closers.closeAll({ onClose: (name) => told.push(name) });
    await closers.closeAll();
    expect(order).toEqual(['third', 'first']);
    expect(told).toEqual(['second', 'first']);
    expect(problems).toEqual(['second: stuck valve']);
  });

  it('give up a part that hangs', async () => {
    const closers = new Closers((message) => problems.push(message));
    const order: string[] = [];
    closers.add('after', async () => void order.push('after'));
    closers.add('hanging', () => new Promise(() => undefined));
    await closers.closeAll({ patienceMs: 10 });
    expect(order).toEqual(['after']);
    expect(problems).toEqual(['hanging: did not stop within 0.01 s']);
  });

  it('forced while a gentle stop hangs, close what is left by force', async () => {
    const closers = new Closers((message) => problems.push(message));
    const forced: boolean[] = [];
    closers.add('database', async (force) => void forced.push(force));
    closers.add('hanging', () => new Promise(() => undefined));
    void closers.closeAll({ patienceMs: 50 });
    await closers.closeAll({ force: true });
    expect(forced).toEqual([true]);
  });
});
