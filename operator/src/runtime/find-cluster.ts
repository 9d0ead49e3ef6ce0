import { homedir } from 'node:os';
import { join } from 'node:path';
import { KeptFile, type ClusterAccess } from './cluster-access.js';
import { readKubeconfig } from './kubeconfig.js';

/** What an environment says about the cluster. */
export interface ClusterHints {
  /** A kubeconfig that was named; it has to be there. */
  readonly kubeconfig?: string;
  /** Address that a pod is told; set only in pods. */
  readonly serviceHost?: string;
  readonly servicePort?: string;
}

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The kubeconfig that was named, else the service account of this pod, else the kubeconfig of this person: as controller-runtime looks. */
export async function findCluster({ kubeconfig, serviceHost, servicePort = '443' }: ClusterHints, serviceAccount = SERVICE_ACCOUNT): Promise<ClusterAccess> {
  if (kubeconfig !== undefined) return readKubeconfig(kubeconfig);
  if (serviceHost !== undefined) return inCluster(serviceHost, servicePort, serviceAccount);
  return readKubeconfig(join(homedir(), '.kube', 'config'));
}

function inCluster(host: string, port: string, folder: string): ClusterAccess {
  const token = new KeptFile(join(folder, 'token'));
  const authorities = new KeptFile(join(folder, 'ca.crt'));
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    rejectUnauthorized: true,
    ca: () => authorities.text(),
    credentials: async () => ({ authorization: `Bearer ${(await token.text()).trim()}` }),
  };
}
