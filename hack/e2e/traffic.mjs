// People at work while something happens to the cluster.
import { createHash, randomBytes } from 'node:crypto';
import { ask, send, upload } from './tools.mjs';

/** Reads and writes from several clients until `stop`; answers how many requests there were, and what failed. */
export class Visitors {
  answered = 0;
  failures = [];
  #stopped = false;
  #clients;

  constructor(shellToken, driveToken, count = 4) {
    const [shell, drive] = [{ token: shellToken }, { token: driveToken }];
    const calls = [
      () => ask('GET', '/api/health'),
      () => ask('GET', '/api/config/apps', shell),
      () => ask('GET', '/drive/api/files?limit=10', drive),
      () => upload(driveToken, `visitor-${randomBytes(6).toString('hex')}.bin`, randomBytes(20_000)),
    ];
    this.#clients = Promise.all(Array.from({ length: count }, (_, n) => this.#visit(calls, n)));
  }

  async #visit(calls, first) {
    for (let n = first; !this.#stopped; n += 1) {
      const began = new Date();
      try {
        await calls[n % calls.length]();
        this.answered += 1;
      } catch (error) {
        this.failures.push(`${began.toISOString()} ${error.message}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20)); // people think
    }
  }

  /** Lets them go; fails when one of their requests failed. */
  async stop() {
    this.#stopped = true;
    await this.#clients;
    if (this.failures.length > 0) throw new Error(`${this.failures.length} of ${this.answered + this.failures.length} requests failed:\n${this.failures.slice(0, 10).join('\n')}`);
    return `${this.answered} requests, none failed`;
  }
}

/** Uploads while `harm` is done; then every upload that was acknowledged has to be there, byte by byte. */
export async function uploadsThrough(token, harm, { clients = 4, bytes = 2_000_000 } = {}) {
  const kept = new Map();
  let [running, unanswered] = [true, 0];
  const work = Promise.all(Array.from({ length: clients }, async () => {
    while (running) {
      const content = randomBytes(bytes);
      try {
        const file = await upload(token, `harmed-${randomBytes(6).toString('hex')}.bin`, content);
        kept.set(file.id, createHash('sha256').update(content).digest('hex'));
      } catch {
        unanswered += 1; // nobody was promised anything
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }));
  try {
    await harm(() => kept.size);
  } finally {
    running = false;
    await work;
  }
  for (const [id, sum] of kept) {
    const { status, bytes: content } = await send('GET', `/drive/api/files/${id}/download`, { token });
    if (status !== 200 || createHash('sha256').update(content).digest('hex') !== sum) throw new Error(`the acknowledged file ${id} is lost or another one (status ${status})`);
  }
  return `${kept.size} acknowledged files all there, ${unanswered} uploads not acknowledged`;
}
