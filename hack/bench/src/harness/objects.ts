import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { ClusterFacts } from '@satellite/kit/testing';

/** Nothing happens for so long only when something is broken. */
const LIMIT_MS = 120_000;
const COLLECTION = '/apis/platform.satellite.io/v1alpha1/namespaces/default/satelliteapps';

interface WatchedApp {
  readonly metadata: { readonly name: string; readonly generation: number; readonly resourceVersion: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string; readonly observedGeneration?: number }[] };
}

/** SatelliteApps on an API server, written and watched with as little of our own as possible. */
export class Objects {
  /** Moment at which each object was seen to be Ready. */
  readonly readyAt = new Map<string, number>();
  /** Names of objects that exist. */
  readonly present = new Map<string, string>();
  /** Last seen Ready condition, for messages. */
  private readonly states = new Map<string, string>();
  private readonly agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  private watching: IncomingMessage | undefined;
  private seenVersion: string | undefined;
  private closed = false;
  private changed: () => void = () => undefined;

  private constructor(private readonly facts: ClusterFacts) {}

  /** Installs the definition and begins to watch. */
  static async open(facts: ClusterFacts, definition: string): Promise<Objects> {
    const objects = new Objects(facts);
    await objects.kubectl('apply', '-f', definition);
    await objects.kubectl('wait', '--for=condition=Established', '-f', definition, '--timeout=30s');
    await objects.watch();
    return objects;
  }

  close(): void {
    this.closed = true;
    this.watching?.destroy();
    this.agent.destroy();
  }

  /** Creates all, so many at a time; answers when each was sent. */
  async create(names: readonly string[], spec: (name: string) => object, parallel = 20): Promise<Map<string, number>> {
    const sentAt = new Map<string, number>();
    const left = [...names];
    await Promise.all(Array.from({ length: parallel }, async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        sentAt.set(name, performance.now());
        await this.send('POST', COLLECTION, { apiVersion: 'platform.satellite.io/v1alpha1', kind: 'SatelliteApp', metadata: { name, namespace: 'default' }, spec: spec(name) });
      }
    }));
    return sentAt;
  }

  /** Deletes every object; resolves when all are gone. */
  async deleteAll(): Promise<void> {
    await this.send('DELETE', COLLECTION);
    await this.until(() => this.present.size === 0, () => `${this.present.size} objects are still there`);
  }

  /** How many of them have been seen Ready. */
  countReady(names: readonly string[]): number {
    return names.filter((name) => this.readyAt.has(name)).length;
  }

  /** Resolves when all of them have been seen Ready. */
  async allReady(names: readonly string[]): Promise<void> {
    const missing = new Set(names);
    await this.until(() => {
      for (const name of missing) if (this.readyAt.has(name)) missing.delete(name); else break;
      return missing.size === 0;
    }, () => `not Ready: ${[...missing].slice(0, 3).map((name) => `${name} ${this.states.get(name)}`).join(', ')} and others, up to ${missing.size} in all`);
  }

  /** Fails when nothing is seen any more before it holds. */
  private async until(holds: () => boolean, problem: () => string): Promise<void> {
    let quiet = false;
    while (!holds()) {
      if (quiet) throw new Error(`it takes too long; ${problem()}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          quiet = true;
          resolve();
        }, LIMIT_MS);
        this.changed = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  private async kubectl(...args: string[]): Promise<void> {
    await promisify(execFile)(join(this.facts.assets, 'kubectl'), ['--kubeconfig', this.facts.kubeconfig, ...args]);
  }

  /** Watches until closed; the API server ends watches now and then, most of all busy ones. */
  private async watch(): Promise<void> {
    // Established comes a moment before the API server serves the new kind: until then 404, then 429.
    const deadline = Date.now() + 30_000;
    const from = this.seenVersion === undefined ? '' : `&resourceVersion=${this.seenVersion}`;
    let stream = await this.open('GET', `${COLLECTION}?watch=true&allowWatchBookmarks=true${from}`);
    for (; stream.statusCode !== 200; stream = await this.open('GET', `${COLLECTION}?watch=true&allowWatchBookmarks=true${from}`)) {
      stream.resume();
      if (Date.now() > deadline) throw new Error(`a watch is answered with ${stream.statusCode}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    this.watching = stream;
    createInterface({ input: stream })
      .on('line', (line) => this.see(JSON.parse(line) as { type: string; object: WatchedApp }))
      .once('close', () => {
        if (!this.closed) void this.watch();
      });
  }

  private see({ type, object: { metadata, status } }: { type: string; object: WatchedApp }): void {
    if (type === 'ERROR') throw new Error('the watch was refused: it is too far behind');
    this.seenVersion = metadata.resourceVersion;
    if (type === 'BOOKMARK') return;
    if (type === 'DELETED') this.present.delete(metadata.name);
    else this.present.set(metadata.name, metadata.resourceVersion);
    this.states.set(metadata.name, JSON.stringify(status?.conditions?.find((condition) => condition.type === 'Ready')));
    const ready = status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True' && condition.observedGeneration === metadata.generation);
    if (ready && !this.readyAt.has(metadata.name)) this.readyAt.set(metadata.name, performance.now());
    this.changed();
  }

  private async send(method: string, path: string, body?: object): Promise<void> {
    const response = await this.open(method, path, body);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    if ((response.statusCode ?? 500) >= 300) throw new Error(`${method} ${path} answers ${response.statusCode}: ${Buffer.concat(chunks).toString().slice(0, 500)}`);
  }

  private async open(method: string, path: string, body?: object): Promise<IncomingMessage> {
    const options: RequestOptions = { method, agent: this.agent, headers: { authorization: `Bearer ${this.facts.token}`, 'content-type': 'application/json' } };
    const call = request(this.facts.server + path, options).end(body && JSON.stringify(body));
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return response;
  }
}
