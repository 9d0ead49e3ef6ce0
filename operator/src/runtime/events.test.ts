import type { Logger } from '@satellite/kit/telemetry';
import { ManualTimers, settle } from '../../test/support/manual-timers.js';
import { silentLogger } from '../../test/support/silent-logger.js';
import { thing } from '../../test/support/objects.js';
import { KubernetesEventRecorder, type EventNote, type EventObject } from './events.js';

const NOTE: EventNote = { type: 'Normal', reason: 'Registered', action: 'Register', note: 'done' };

describe('KubernetesEventRecorder', () => {
  const recorder = (fail = false) => {
    const created: EventObject[] = [];
    const counted: number[] = [];
    const timers = new ManualTimers();
    let held: Promise<void> = Promise.resolve();
    /** The API server does not answer until the returned function is called. */
    const hold = (): (() => void) => {
      let go: () => void = () => undefined;
      held = new Promise((resolve) => (go = resolve));
      return () => go();
    };
    const sink = {
      create: async (event: EventObject) => {
        if (fail) throw new Error('down');
        await held;
        created.push(event);
      },
      patchSeries: async (_namespace: string, _name: string, { count }: { readonly count: number }) => void counted.push(count),
    };
    return { created, counted, timers, hold, events: new KubernetesEventRecorder({ sink, controller: 'test', instance: 'one', logger: silentLogger, timers, now: () => 1_800_000_000_123 }) };
  };

  it('writes an event with a time of six digits, about the object', async () => {
    const { events, created } = recorder();
    events.record(thing('a'), NOTE);
    await events.flush();
    expect(created).toEqual([expect.objectContaining({ apiVersion: 'events.k8s.io/v1', eventTime: expect.stringMatching(/\.123000Z$/) as string, reason: 'Registered', regarding: expect.objectContaining({ name: 'a', uid: 'uid-a' }) as object })]);
  });

  it('counts a repeated event instead of writing it again, until the object changes', async () => {
    const { events, created, counted } = recorder();
    for (let time = 0; time < 3; time += 1) events.record(thing('a'), NOTE);
    events.record(thing('a', 2, { generation: 2 }), NOTE);
    await events.flush();
    expect(created).toHaveLength(2);
    expect(counted).toEqual([2, 3]);
  });

  it('cuts off a flood about one object, not about others', async () => {
    const { events, created, timers } = recorder();
    for (let index = 0; index < 100; index += 1) events.record(thing('a'), { ...NOTE, note: `note ${index}` });
    events.record(thing('b'), NOTE);
    await events.flush();
    expect(created).toHaveLength(26);
    await timers.advance(300_000);
    events.record(thing('a'), { ...NOTE, note: 'later' });
    await events.flush();
    expect(created).toHaveLength(27);
  });

  it('keeps no more than so many waiting for a slow API server, and says how many it left out', async () => {
    let written = 0;
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const lines: object[] = [];
    const logger = { ...silentLogger, warn: (line: object) => lines.push(line) } as unknown as Logger;
    const sink = { create: async () => answered.then(() => void (written += 1)), patchSeries: async () => undefined };
    const events = new KubernetesEventRecorder({ sink, controller: 'test', instance: 'one', logger, timers: new ManualTimers() });
    for (let index = 0; index < 1200; index += 1) events.record(thing(`app-${index}`), NOTE);
    answer();
    await events.flush();
    expect(written).toBe(1000);
    expect(lines).toEqual([{ events: 200 }]);
    events.record(thing('later'), NOTE);
    await events.flush();
    expect(written).toBe(1001);
  });

  it('does not wait for ever at the end, and writes nothing after it', async () => {
    const { events, created, timers, hold } = recorder();
    const go = hold();
    for (const name of ['a', 'b']) events.record(thing(name), NOTE);
    const end = events.flush();
    await timers.advance(60_000);
    await end;
    go();
    await settle();
    expect(created).toHaveLength(1); // that which was under way
  });

  it('never fails because events cannot be written', async () => {
    const { events } = recorder(true);
    events.record(thing('a'), NOTE);
    await expect(events.flush()).resolves.toBeUndefined();
  });
});
