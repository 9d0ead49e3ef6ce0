// Ends what jest.cluster-setup.mjs (or a restart test) started, by process id, and removes its folder.
import { readFile, rm } from 'node:fs/promises';
import stopPostgres from './jest.postgres-teardown.mjs';

function alive(pid) {
  try { process.kill(pid, 0); return true; } catch { return false; }
}

async function end(pid) {
  if (!alive(pid)) return;
  process.kill(pid, 'SIGTERM');
  const deadline = Date.now() + 10_000;
  while (alive(pid)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export default async function teardown() {
  const file = globalThis.satelliteTestCluster;
  if (!file) return;
  const cluster = JSON.parse(await readFile(file, 'utf8'));
  await end(cluster.apiserverPid);
  await end(cluster.etcdPid);
  globalThis.satelliteTestCluster = undefined;
  await stopPostgres();
  await rm(cluster.home, { recursive: true, force: true });
}
