import { execFile, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import type { ClusterFacts } from '@satellite/kit/testing';
import { until } from '../../support/until.js';

interface Kubeconfig {
  readonly clusters: { cluster: { server: string } }[];
  readonly users: { user: { token: string } }[];
}

export interface KubectlAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real API server of this run: kubectl, and the power to end and start it. */
export class Cluster {
  private constructor(
    private readonly file: string,
    private readonly facts: ClusterFacts,
  ) {}

  /** That of the run, or the one that the file describes. */
  static async open(file = process.env['SATELLITE_TEST_CLUSTER']): Promise<Cluster> {
    if (!file) throw new Error('No test cluster: run these tests with npm run test:cluster.');
    return new Cluster(file, JSON.parse(await readFile(file, 'utf8')) as ClusterFacts);
  }

  get server(): string {
    return this.facts.server;
  }

  get kubeconfig(): string {
    return this.facts.kubeconfig;
  }

  get token(): string {
    return this.facts.token;
  }

  /** A kubeconfig that reaches the API server through another address. */
  kubeconfigVia(server: string, name: string): Promise<string> {
    return this.changedKubeconfig(name, ({ clusters }) => clusters.forEach(({ cluster }) => (cluster.server = server)));
  }

  /** A kubeconfig of somebody else. */
  kubeconfigAs(token: string, name: string): Promise<string> {
    return this.changedKubeconfig(name, ({ users }) => users.forEach(({ user }) => (user.token = token)));
  }

  private async changedKubeconfig(name: string, change: (config: Kubeconfig) => void): Promise<string> {
    const path = join(this.facts.home, `kubeconfig-${name}`);
    const config = JSON.parse(await readFile(this.facts.kubeconfig, 'utf8')) as Kubeconfig;
    change(config);
    await writeFile(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  }

  /** Runs kubectl; answers whatever it says. */
  try(args: readonly string[], input?: string): Promise<KubectlAnswer> {
    return new Promise((resolve) => {
      const child = execFile(join(this.facts.assets, 'kubectl'), ['--kubeconfig', this.facts.kubeconfig, ...args], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
      });
      // kubectl may be done before it has read everything; its exit code says how it went.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });
  }

  /** Runs kubectl; fails with its message. */
  async kubectl(args: readonly string[], input?: string): Promise<string> {
    const { code, stdout, stderr } = await this.try(args, input);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  apply(text: string): Promise<string> {
    return this.kubectl(['apply', '-f', '-'], text);
  }

  async json<T>(args: readonly string[]): Promise<T> {
    return JSON.parse(await this.kubectl([...args, '-o', 'json'])) as T;
  }

  /** SIGKILLs the API server and starts it again on the same state; resolves when it answers. */
  async restartApiServer(downMs = 0): Promise<void> {
    process.kill(this.facts.apiserverPid, 'SIGKILL');
    await until(() => alive(this.facts.apiserverPid), (living) => !living);
    const upAt = Date.now() + downMs;
    await until(() => Date.now(), (now) => now >= upAt);
    const log = openSync(this.facts.apiserver.log, 'a');
    const child = spawn(this.facts.apiserver.file, this.facts.apiserver.args, { stdio: ['ignore', log, log], detached: true });
    child.unref();
    this.facts.apiserverPid = child.pid as number;
    await writeFile(this.file, JSON.stringify(this.facts), { mode: 0o600 });
    await until(() => this.ready(), (ready) => ready, { limitMs: 60_000, what: 'the API server answers' });
  }

  private ready(): Promise<boolean> {
    return new Promise((resolve) => {
      const call = request(`${this.facts.server}/readyz`, { rejectUnauthorized: false, headers: { authorization: `Bearer ${this.facts.token}` } }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      });
      call.once('error', () => resolve(false));
      call.end();
    });
  }
}

/** A child that was killed stays a zombie until it is reaped; that counts as dead. */
async function alive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => 'Z');
    return !/\) Z /.test(state);
  } catch {
    return false;
  }
}
