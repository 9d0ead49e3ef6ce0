import type { Cluster } from '../../../../../operator/test/cluster/support/cluster.js';

/** Kinds of others that the charts can use; where they are missing in a cluster the API server takes any content here. */
const KINDS = [
  ['gateway.networking.k8s.io', 'v1', 'HTTPRoute', 'httproutes'],
  ['monitoring.coreos.com', 'v1', 'ServiceMonitor', 'servicemonitors'],
  ['monitoring.coreos.com', 'v1', 'PrometheusRule', 'prometheusrules'],
  ['networking.gke.io', 'v1', 'HealthCheckPolicy', 'healthcheckpolicies'],
  ['postgresql.cnpg.io', 'v1', 'Cluster', 'clusters'],
] as const;

const definition = ([group, version, kind, plural]: (typeof KINDS)[number]): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  // the API server keeps groups below k8s.io for those who say that it was agreed
  metadata: { name: `${plural}.${group}`, annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' } },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural },
    versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }],
  },
});

export async function installForeignKinds(cluster: Cluster): Promise<void> {
  await cluster.kubectl(['apply', '--server-side', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: KINDS.map(definition) }));
  await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=60s', ...KINDS.map(([group, , , plural]) => `crd/${plural}.${group}`)]);
}
