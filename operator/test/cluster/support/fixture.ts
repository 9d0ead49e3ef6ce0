import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SatelliteApp } from '../../../src/controllers/satellite-app/satellite-app.js';
import { SatelliteServer } from '../../support/satellite-server.js';
import { ShellPlatform, type RegistryRow } from '../../support/shell-platform.js';
import { until } from '../../support/until.js';
import { Cluster } from './cluster.js';
import { OperatorProcess } from './operator-process.js';

export const CRD = join(fileURLToPath(new URL('../../../../', import.meta.url)), 'crds/satelliteapps.platform.satellite.io.yaml');

export const SAMPLES = join(CRD, '../samples');

/** One cluster, one Shell, one satellite, and the operators a test file starts. */
export class Fixture {
  private readonly operators: OperatorProcess[] = [];

  private constructor(
    readonly cluster: Cluster,
    readonly platform: ShellPlatform,
    readonly satellite: SatelliteServer,
    readonly namespace: string,
  ) {}

  /** @param namespace of its own for each test file, so that nothing of another file is in the way */
  static async open(namespace: string): Promise<Fixture> {
    const cluster = await Cluster.open();
    const fixture = new Fixture(cluster, await ShellPlatform.start(), await new SatelliteServer().listen(), namespace);
    await cluster.kubectl(['apply', '-f', CRD]);
    await cluster.kubectl(['wait', '--for=condition=Established', 'crd/satelliteapps.platform.satellite.io', '--timeout=30s']);
    await cluster.try(['create', 'namespace', namespace]);
    return fixture;
  }

  async close(): Promise<void> {
    // Finalizers need a living operator, so objects go first; without one they are freed by hand.
    await this.endOperators();
    const names = (await this.cluster.kubectl(['get', 'satelliteapps', '-n', this.namespace, '-o', 'name'])).split('\n').filter((name) => name !== '');
    for (const name of names) await this.cluster.try(['patch', name, '-n', this.namespace, '--type=merge', '-p', '{"metadata":{"finalizers":[]}}']);
    await this.cluster.kubectl(['delete', 'satelliteapps', '--all', '-n', this.namespace, '--wait=false']);
    await this.cluster.try(['delete', 'lease', '--all', '-n', this.namespace]);
    await Promise.all([this.platform.close(), this.satellite.close()]);
  }

  startOperator(environment: Readonly<Record<string, string>> = {}, program?: readonly string[]): OperatorProcess {
    const operator = OperatorProcess.start({
      OPERATOR_SHELL_URL: this.platform.shellUrl,
      OPERATOR_CLIENT_ID: this.platform.clientId,
      OPERATOR_CLIENT_SECRET: this.platform.clientSecret,
      OPERATOR_PLATFORM_URL: 'http://platform.test',
      OPERATOR_OUTBOUND_ALLOW: this.satellite.host,
      OPERATOR_KUBECONFIG: this.cluster.kubeconfig,
      OPERATOR_LEASE_NAMESPACE: this.namespace,
      OPERATOR_LEADER_ELECTION: 'false',
      OPERATOR_RECHECK_SECONDS: '1',
      ...environment,
    }, program);
    this.operators.push(operator);
    return operator;
  }

  async endOperators(): Promise<void> {
    await Promise.all(this.operators.splice(0).map((operator) => operator.end()));
  }

  /** Manifest of an app whose UI and API the test satellite serves. */
  app(name: string, spec: Record<string, unknown> = {}, namespace = this.namespace): string {
    return JSON.stringify({
      apiVersion: 'platform.satellite.io/v1alpha1',
      kind: 'SatelliteApp',
      metadata: { name, namespace },
      spec: { slug: name, name: `App ${name}`, type: 'satellite', apiUrl: this.satellite.apiUrl, uiUrl: this.satellite.uiUrl, version: '1.0.0', ...spec },
    });
  }

  get(name: string, namespace = this.namespace): Promise<SatelliteApp> {
    return this.cluster.json<SatelliteApp>(['get', 'satelliteapp', name, '-n', namespace]);
  }

  async waitReady(name: string, limitMs = 20_000): Promise<void> {
    await this.cluster.kubectl(['wait', '--for=condition=Ready', `satelliteapp/${name}`, '-n', this.namespace, `--timeout=${Math.ceil(limitMs / 1000)}s`]);
  }

  waitReason(name: string, reason: string, namespace = this.namespace): Promise<SatelliteApp> {
    return until(() => this.get(name, namespace), (app) => app.status?.conditions?.find(({ type }) => type === 'Ready')?.reason === reason, { limitMs: 20_000, what: `${name} says ${reason}` });
  }

  entry(slug: string, holds: (entry: RegistryRow | undefined) => boolean, limitMs = 20_000) {
    return until(() => this.platform.entry(slug), holds, { limitMs, what: `registry entry ${slug}` });
  }
}
