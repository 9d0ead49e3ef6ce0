import type { IncomingMessage, ServerResponse } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { inPieces, type FaultProxy } from './fault-proxy.js';

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How often each accident happens, of 1. */
type Odds<Accident extends string> = Readonly<Partial<Record<Accident, number>>>;
type RequestAccident = 'busy' | 'gone' | 'broken' | 'away' | 'reset' | 'hanging' | 'lostAnswer' | 'slow';
type EventAccident = 'twice' | 'late' | 'ancient' | 'inPieces' | 'expired' | 'cut' | 'halfOpen';

const API_REQUESTS: Odds<RequestAccident> = { busy: 0.04, broken: 0.04, reset: 0.04, hanging: 0.02, lostAnswer: 0.05, slow: 0.04 };
const API_LISTS: Odds<RequestAccident> = { busy: 0.05, gone: 0.1, broken: 0.05, reset: 0.05, slow: 0.1 };
const API_WATCHES: Odds<RequestAccident> = { busy: 0.05, gone: 0.05, broken: 0.05, reset: 0.05, hanging: 0.02 };
const SHELL_REQUESTS: Odds<RequestAccident> = { away: 0.08, broken: 0.05, reset: 0.05, hanging: 0.02, lostAnswer: 0.06, slow: 0.05 };
const EVENTS: Odds<EventAccident> = { twice: 0.1, late: 0.1, ancient: 0.15, inPieces: 0.05, expired: 0.01, cut: 0.02, halfOpen: 0.01 };
/** Of a line that says that an object is gone. */
const ENDS: Odds<'afterlife'> = { afterlife: 0.5 };

const status = (code: number, reason: string): string => JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: `played by the tests: ${reason}` });

/**
 * Accidents by a seed, played by proxies before the API server and the Shell until calm(). The same seed draws the same
 * accidents in the same order; which request meets which is a matter of time.
 */
export class FaultSchedule {
  /** How often each accident was played. */
  readonly played: Record<string, number> = {};
  /** What watches have told so far: what comes long after its time comes from here. */
  readonly told: string[] = [];
  private readonly random: () => number;
  private readonly hanging = new Set<ServerResponse>();
  private active = true;

  constructor(readonly seed: number) {
    this.random = randomFrom(seed);
  }

  beforeApiServer(proxy: FaultProxy): void {
    this.attach(proxy, (url) => (isWatch(url) ? API_WATCHES : /\/satelliteapps\?/.test(url) ? API_LISTS : API_REQUESTS));
  }

  beforeShell(proxy: FaultProxy): void {
    this.attach(proxy, () => SHELL_REQUESTS);
  }

  /** No more accidents. What hangs is cut, as when a network comes back; watches that went silent stay silent. */
  calm(): void {
    this.active = false;
    for (const response of this.hanging) response.destroy();
  }

  /** One of these, by chance. */
  pick<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.random() * all.length)];
  }

  /** The accident that comes next, if any does. */
  draw<Accident extends string>(odds: Odds<Accident>): Accident | undefined {
    if (!this.active) return undefined;
    let left = this.random();
    for (const [accident, share] of Object.entries(odds) as [Accident, number][]) {
      left -= share;
      if (left >= 0) continue;
      this.played[accident] = (this.played[accident] ?? 0) + 1;
      return accident;
    }
    return undefined;
  }

  private attach(proxy: FaultProxy, oddsOf: (url: string) => Odds<RequestAccident>): void {
    const treatments = new WeakMap<IncomingMessage, Transform>();
    proxy.fault = (request, response) => {
      const accident = this.draw(oddsOf(request.url ?? ''));
      if (accident === 'lostAnswer') treatments.set(request, lost(response));
      else if (accident === 'slow') treatments.set(request, inPieces(211));
      else if (accident) return this.play(accident, response);
      return undefined;
    };
    proxy.treat = (request) => treatments.get(request) ?? (isWatch(request.url) ? new UnreliableWatch(this) : undefined);
  }

  private play(accident: RequestAccident, response: ServerResponse): true {
    const json = { 'content-type': 'application/json' };
    if (accident === 'busy') response.writeHead(429, { ...json, 'retry-after': '1' }).end(status(429, 'TooManyRequests'));
    else if (accident === 'gone') response.writeHead(410, json).end(status(410, 'Expired'));
    else if (accident === 'broken') response.writeHead(500, json).end(status(500, 'InternalError'));
    else if (accident === 'away') response.writeHead(503).end();
    else if (accident === 'hanging') this.hanging.add(response);
    else response.destroy();
    return true;
  }
}

const isWatch = (url = ''): boolean => url.includes('watch=true');

/** The request was carried out, and nobody hears of it. */
function lost(response: ServerResponse): Transform {
  return new Transform({
    transform: (_chunk, _encoding, done) => {
      response.destroy();
      done();
    },
  });
}

const isEnd = (line: string): boolean => line.startsWith('{"type":"DELETED"');
const uidIn = (line: string): string | undefined => /"uid":"([^"]+)"/.exec(line)?.[1];

/** The lines of a watch: some twice, some late or long after their time, some never because the stream has died. */
class UnreliableWatch extends Transform {
  private text = '';
  private held: string | undefined;
  private dead = false;

  constructor(private readonly schedule: FaultSchedule) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const lines = (this.text + chunk.toString('latin1')).split('\n');
    this.text = lines.pop() ?? '';
    for (const line of lines) if (!this.dead) this.pass(line);
    done();
  }

  private pass(line: string): void {
    const accident = this.schedule.draw(EVENTS);
    // What is late comes after what is next, never after the end of the stream: then it would be lost, not late.
    if (accident === 'late' && this.held === undefined) {
      this.held = line;
      setTimeout(() => this.release(), 200).unref();
      return;
    }
    this.say(line, accident === 'inPieces');
    this.release();
    if (accident === 'twice') this.say(line);
    if (isEnd(line) && this.schedule.draw(ENDS)) this.say(this.schedule.pick(this.livesOf(line)) ?? line);
    if (accident === 'ancient') this.say(this.schedule.pick(this.schedule.told) ?? line);
    if (accident === 'expired') this.say(JSON.stringify({ type: 'ERROR', object: JSON.parse(status(410, 'Expired')) as object }));
    if (accident === 'expired' || accident === 'halfOpen') this.dead = true;
    if (accident === 'cut') this.destroy(new Error('cut'));
    this.schedule.told.push(line);
  }

  /** What was told of an object before it ended. */
  private livesOf(end: string): string[] {
    return this.schedule.told.filter((earlier) => uidIn(earlier) === uidIn(end) && !isEnd(earlier));
  }

  private release(): void {
    const { held } = this;
    this.held = undefined;
    if (held !== undefined && !this.destroyed) this.say(held);
  }

  private say(line: string, inPieces = false): void {
    const bytes = Buffer.from(`${line}\n`, 'latin1');
    const size = inPieces ? 101 : bytes.length;
    for (let at = 0; at < bytes.length; at += size) this.push(bytes.subarray(at, at + size));
  }
}
