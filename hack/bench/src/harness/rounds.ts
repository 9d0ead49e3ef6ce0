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
  readonly body?: string;
  readonly status: number;
}

export interface Speed {
  /** CPU time of the server's process for one request. */
  readonly cpuUs: number;
  readonly perSecond: number;
  readonly p99Ms: number;
}

export interface RoundOptions {
  readonly rounds: number;
  /** Requests of one contestant in one round. */
  readonly requests: number;
  readonly connections: number;
}

/**
 * Medians over rounds in which the contestants take turns: whatever else the machine does at a time hits all of them.
 * A first round warms up and does not count.
 */
export async function interleaved(contestants: readonly Contestant[], { rounds, requests, connections }: RoundOptions): Promise<Speed[]> {
  const seen: Speed[][] = contestants.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, contestant] of contestants.entries()) {
      const speed = await burst(contestant, requests, connections);
      if (round > 0) seen[index]?.push(speed);
    }
  }
  return seen.map((speeds) => ({ cpuUs: median(speeds.map(({ cpuUs }) => cpuUs)), perSecond: median(speeds.map(({ perSecond }) => perSecond)), p99Ms: median(speeds.map(({ p99Ms }) => p99Ms)) }));
}

async function burst({ server, path, headers, method = 'GET', body, status }: Contestant, requests: number, connections: number): Promise<Speed> {
  const before = server.usage().cpuMs;
  const began = performance.now();
  const result = await autocannon({ url: server.url + path, method, ...(body !== undefined && { body }), headers: { ...headers }, amount: requests, connections, sampleInt: 10 });
  const seconds = (performance.now() - began) / 1000;
  const answered = result.statusCodeStats?.[`${status}`]?.count ?? 0;
  if (answered !== requests) throw new Error(`${server.name}${path} answered ${answered} of ${requests} requests with ${status}: ${JSON.stringify(result.statusCodeStats)}`);
  return { cpuUs: ((server.usage().cpuMs - before) * 1000) / requests, perSecond: requests / seconds, p99Ms: result.latency.p99 };
}
