import { startTestCluster } from '@satellite/kit/testing';
import { Cluster } from '../../../../../operator/test/cluster/support/cluster.js';

/** An API server of one file's own: Helm takes over no definition that somebody else has applied, as the operator's tests do on the shared one. */
export async function startOwnCluster(): Promise<{ readonly cluster: Cluster; readonly stop: () => Promise<void> }> {
  const { file, stop } = await startTestCluster(process.env['SATELLITE_TOOLS'] ?? '.tools/bin');
  return { cluster: await Cluster.open(file), stop };
}
