import stopPostgres from './jest.postgres-teardown.mjs';

export default async function teardown() {
  await globalThis.testCluster.stop();
  await stopPostgres();
}
