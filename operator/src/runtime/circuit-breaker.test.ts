import { ManualTimers, settle } from '../../test/support/manual-timers.js';
import { BreakerOpen, CircuitBreaker } from './circuit-breaker.js';

class Outage extends Error {}

describe('CircuitBreaker', () => {
  let timers: ManualTimers;
  let breaker: CircuitBreaker;
  let states: string[];
  let calls: number;
  /** How the service answers calls, and probes. */
  let service: Error | undefined;
  let probes: (Error | undefined)[];
  let askService: () => Promise<void>;

  beforeEach(() => {
    timers = new ManualTimers();
    [states, calls, service, probes] = [[], 0, undefined, []];
    askService = async () => {
      const answer = probes.shift();
      if (answer) throw answer;
    };
    breaker = new CircuitBreaker({ probe: () => askService(), isOutage: (error) => error instanceof Outage, threshold: 3, baseMs: 1000, maxMs: 8000, timers, random: () => 1 });
    breaker.subscribe((state) => states.push(`${timers.now()} ${state}`));
  });
  afterEach(() => breaker.stop());

  const call = async (): Promise<unknown> => {
    const work = async () => {
      calls += 1;
      if (service) throw service;
    };
    return breaker.call(work).catch((error: unknown) => error);
  };
  const callTimes = async (times: number) => {
    for (let time = 0; time < times; time += 1) await call();
  };

  it('does not count what says nothing about others, but spares it too', async () => {
    const report = () => breaker.callUncounted(async () => {
      calls += 1;
      throw new Outage('slow');
    }).catch((error: unknown) => error);
    for (let time = 0; time < 5; time += 1) expect(await report()).toBeInstanceOf(Outage);
    expect(breaker.state).toBe('closed');
    service = new Outage('down');
    await callTimes(3);
    expect(await report()).toBeInstanceOf(BreakerOpen);
    expect(calls).toBe(8);
  });

  it('opens after outages in a row, and then makes no call', async () => {
    service = new Outage('down');
    await callTimes(2);
    expect(breaker.state).toBe('closed');
    await callTimes(5);
    expect(states).toEqual(['0 open']);
    expect(calls).toBe(3);
    const refusal = await call();
    expect(refusal).toBeInstanceOf(BreakerOpen);
    expect(refusal).toMatchObject({ retryMs: 1000, message: '3 calls in a row failed, the last one with: down' });
  });

  it('counts no refusal, and begins anew after any answer', async () => {
    for (const answer of [new Error('refused'), undefined]) {
      for (let time = 0; time < 10; time += 1) {
        service = new Outage('down');
        await callTimes(2);
        service = answer;
        await call();
      }
    }
    expect(states).toEqual([]);
  });

  it('tries one call by itself, at growing distance, and closes when somebody answers', async () => {
    service = new Outage('down');
    probes = Array.from({ length: 5 }, () => new Outage('still down'));
    await callTimes(3);
    await timers.advance(31_000);
    expect(states.filter((state) => state.endsWith('half-open'))).toEqual(['1000 half-open', '3000 half-open', '7000 half-open', '15000 half-open', '23000 half-open', '31000 half-open']);
    expect(breaker.state).toBe('closed');
    expect(timers.waiting).toBe(0);
    service = undefined;
    expect(await call()).toBeUndefined();
  });

  it('takes a refusal of its probe for a sign of life', async () => {
    service = new Outage('down');
    probes = [new Error('refused')];
    await callTimes(3);
    await timers.advance(1000);
    expect(breaker.state).toBe('closed');
  });

  it('waits longer each time for a service that answers nothing but probes, and forgets that after a real answer', async () => {
    service = new Outage('read-only');
    await callTimes(3);
    await timers.advance(1000);
    await callTimes(3);
    expect(await call()).toMatchObject({ retryMs: 2000 });
    await timers.advance(2000);
    service = undefined;
    await call();
    service = new Outage('down');
    await callTimes(3);
    expect(await call()).toMatchObject({ retryMs: 1000 });
  });

  it('is not moved by calls that were under way when it opened', async () => {
    let answer: () => void = () => undefined;
    let fail: (error: Error) => void = () => undefined;
    const good = breaker.call(() => new Promise<void>((resolve) => (answer = resolve)));
    const bad = breaker.call(() => new Promise<void>((_, reject) => (fail = reject))).catch(() => undefined);
    service = new Outage('down');
    await callTimes(3);
    answer();
    fail(new Outage('late'));
    await Promise.all([good, bad]);
    expect(states).toEqual(['0 open']);
  });

  it('is not moved either by such calls that end while it asks, or after it closed', async () => {
    const late: ((error: Error) => void)[] = [];
    const under = Array.from({ length: 6 }, () => breaker.call(() => new Promise<void>((_, reject) => late.push(reject))).catch(() => undefined));
    let answerProbe: () => void = () => undefined;
    askService = () => new Promise<void>((resolve) => (answerProbe = resolve));
    service = new Outage('down');
    await callTimes(3);
    await timers.advance(1000);
    for (const fail of late.splice(0, 3)) fail(new Outage('late'));
    await settle();
    expect(states).toEqual(['0 open', '1000 half-open']);
    answerProbe();
    await settle();
    for (const fail of late) fail(new Outage('later'));
    await Promise.all(under);
    await timers.advance(60_000);
    expect(states).toEqual(['0 open', '1000 half-open', '1000 closed']);
    expect(timers.waiting).toBe(0);
    service = undefined;
    expect(await call()).toBeUndefined();
  });

  it('stops with its owner', async () => {
    service = new Outage('down');
    await callTimes(3);
    breaker.stop();
    await timers.advance(60_000);
    expect(states).toEqual(['0 open']);
  });
});
