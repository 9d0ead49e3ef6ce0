import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

/** The platform in a process of its own, as `make run` starts it, and what it says. */
export class Run {
  output = '';
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;

  constructor(readonly folder: string, readonly port: number, env: Record<string, string> = {}) {
    // What `make build` has made, as `make run` does.
    const args = ['--enable-source-maps', join(ROOT, 'services/standalone/dist/main.js')];
    const { PATH = '', HOME = '' } = process.env;
    const NODE_COMPILE_CACHE = join(ROOT, '.cache', 'compiled'); // much of a start is compiling
    this.child = spawn(process.execPath, args, { cwd: ROOT, env: { PATH, HOME, NODE_COMPILE_CACHE, PORT: String(port), DATA_DIR: folder, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout!, this.child.stderr!]) stream.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = once(this.child, 'exit').then(([code]) => code as number | null);
  }

  /** Waits for words in the output; fails with the output when the process ends before. */
  async says(words: string): Promise<this> {
    let over = false;
    void this.ended.then(() => (over = true));
    while (!this.output.includes(words)) {
      if (over) throw new Error(`It ended without saying "${words}":\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return this;
  }

  async json(path: string): Promise<unknown> {
    return (await fetch(`http://127.0.0.1:${this.port}${path}`)).json();
  }

  /** Slugs of the launchpad feed, asked until they are the expected ones; the time limit of the test ends it. */
  async lists(slugs: string[]): Promise<void> {
    for (;;) {
      const { data } = (await this.json('/api/config/apps')) as { data: { slug: string }[] };
      if (data.map(({ slug }) => slug).sort().join() === slugs.join()) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async stop(): Promise<number | null> {
    this.child.kill('SIGINT');
    return this.ended;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
