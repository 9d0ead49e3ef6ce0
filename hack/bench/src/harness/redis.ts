import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connect } from 'node:net';
import { freePorts } from '@satellite/kit/testing';
import type { BenchTools } from '../bench.js';

const START_LIMIT_MS = 20_000;

/** A redis-server in a process of its own that keeps nothing on disk; answers with its address. */
export async function startRedis({ folder, atEnd }: BenchTools): Promise<string> {
  const [port] = await freePorts(1);
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--logfile', join(folder, 'redis.log')], { stdio: 'ignore' });
  const failed = once(child, 'error').then(([error]) => {
    throw new Error(`redis-server cannot be run (${(error as Error).message}). Install it: apt-get install -y redis-server`);
  });
  process.once('exit', () => child.kill('SIGKILL'));
  atEnd(async () => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  });
  await Promise.race([accepting(Number(port)), failed]);
  return `redis://127.0.0.1:${port}`;
}

async function accepting(port: number): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS;
  for (;;) {
    const socket = connect({ host: '127.0.0.1', port });
    const open = await once(socket, 'connect').then(() => true, () => false);
    socket.destroy();
    if (open) return;
    if (Date.now() > deadline) throw new Error(`redis-server does not answer on port ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
