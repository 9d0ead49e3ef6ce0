import autocannon from 'autocannon';
import { median } from './figures.js';
import type { ServerProcess } from './server-process.js';

/** One of the things that are compared. */
export interface Contestant {
  readonly server: ServerProcess;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** GET unless given. */
  readonly method?: 'GET' | 'POST';
  /** A function makes one for each request. */
  readonly body?: string | (() => string);
  readonly status: number;
}

export interface Speed {
  /** CPU time of the server's process for one request. */
  readonly cpuUs: number;
  readonly perSecond: number;
  readonly meanMs: number;
  readonly p99Ms: number;
}

export interface RoundOptions {
  readonly rounds: number;
  /** Requests of one contestant in one round. */
  readonly requests: number;
  readonly connections: number;
  /** Default true: a first round that does not count. */
  readonly warmUp?: boolean;
}

/**
 * Medians over rounds in which the contestants take turns: whatever else the machine does at a time hits all of them.
 */
export async function interleaved(contestants: readonly Contestant[], { rounds, requests, connections, warmUp = true }: RoundOptions): Promise<Speed[]> {
  const seen: Speed[][] = contestants.map(() => []);
  for (let round = warmUp ? 0 : 1; round <= rounds; round += 1) {
    for (const [index, contestant] of contestants.entries()) {
      const speed = await burst(contestant, requests, connections);
      if (round > 0) seen[index]?.push(speed);
    }
  }
  const middle = (speeds: readonly Speed[], field: keyof Speed): number => median(speeds.map((speed) => speed[field]));
  return seen.map((speeds) => ({ cpuUs: middle(speeds, 'cpuUs'), perSecond: middle(speeds, 'perSecond'), meanMs: middle(speeds, 'meanMs'), p99Ms: middle(speeds, 'p99Ms') }));
}

async function burst({ server, path, headers, method = 'GET', body, status }: Contestant, requests: number, connections: number): Promise<Speed> {
  const before = server.usage().cpuMs;
  const began = performance.now();
  const result = await autocannon({ url: server.url + path, method, ...bodies(body), headers: { ...headers }, amount: requests, connections, sampleInt: 10 });
  const seconds = (performance.now() - began) / 1000;
  const answered = result.statusCodeStats?.[`${status}`]?.count ?? 0;
  if (answered !== requests) throw new Error(`${server.name}${path} answered ${answered} of ${requests} requests with ${status}: ${JSON.stringify(result.statusCodeStats)}`);
  return { cpuUs: ((server.usage().cpuMs - before) * 1000) / requests, perSecond: requests / seconds, meanMs: result.latency.mean, p99Ms: result.latency.p99 };
}

function bodies(body: Contestant['body']): Partial<autocannon.Options> {
  if (typeof body !== 'function') return body === undefined ? {} : { body };
  return { requests: [{ setupRequest: (request) => ({ ...request, body: body() }) }] };
}
