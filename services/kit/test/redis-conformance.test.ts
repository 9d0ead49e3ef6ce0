import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { createEmbeddedRedis } from '@satellite/kit/embedded';
import { REDIS_CHECKS } from '@satellite/kit/testing';

describe('the in-process Redis', () => {
  let redis: Redis;
  beforeEach(async () => {
    redis = await createEmbeddedRedis();
  });
  afterEach(async () => {
    await redis.quit();
  });
  it.each(REDIS_CHECKS)('$title', ({ run }) => run(redis));
});

describe('redis-server', () => {
  let folder: string;
  let server: ChildProcess;
  let redis: Redis;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'satellite-redis-'));
    const path = join(folder, 'redis.sock');
    server = spawn('redis-server', ['--port', '0', '--unixsocket', path, '--dir', folder, '--save', ''], { stdio: ['ignore', 'pipe', 'inherit'] });
    await Promise.race([accepting(server), missing(server)]);
    redis = new Redis({ path });
  });

  afterAll(async () => {
    redis?.disconnect();
    if (server.pid !== undefined) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    await redis.flushall();
  });

  it.each(REDIS_CHECKS)('$title', ({ run }) => run(redis));
});

async function accepting(server: ChildProcess): Promise<void> {
  for await (const chunk of server.stdout!) {
    if (String(chunk).includes('accept connections')) break;
  }
  server.stdout!.resume();
}

async function missing(server: ChildProcess): Promise<never> {
  const [error] = (await once(server, 'error')) as [Error];
  throw new Error(`redis-server cannot be run (${error.message}). Install it: apt-get install -y redis-server`);
}
