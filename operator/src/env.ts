import { z } from 'zod';
import { envBoolean, envList, readEnvironment } from '@satellite/kit/config';
import { LOG_LEVELS, type LogLevel } from '@satellite/kit/telemetry';

const origin = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const port = z.coerce.number().int().min(0).max(65_535);

const Environment = z
  .object({
    OPERATOR_SHELL_URL: origin,
    OPERATOR_CLIENT_ID: z.string().default('operator'),
    OPERATOR_CLIENT_SECRET: z.string({ error: 'must be set: the secret of the service client that may write the registry' }).min(1),
    OPERATOR_PLATFORM_URL: origin,
    OPERATOR_SOURCE: z.enum(['kubernetes', 'directory']).default('kubernetes'),
    OPERATOR_DIRECTORY: z.string().optional(),
    OPERATOR_KUBECONFIG: z.string().optional(),
    OPERATOR_WATCH_NAMESPACE: z.string().optional(),
    OPERATOR_WATCH_LABEL_SELECTOR: z.string().optional(),
    OPERATOR_WATCH_SILENCE_SECONDS: z.coerce.number().int().min(1).max(3600).default(90),
    OPERATOR_LEADER_ELECTION: envBoolean.default(true),
    OPERATOR_LEASE_NAME: z.string().optional(),
    OPERATOR_LEASE_NAMESPACE: z.string().default('default'),
    OPERATOR_POD_NAME: z.string().optional(),
    OPERATOR_INSTALLATION: z.string().max(128).optional(),
    OPERATOR_RECHECK_SECONDS: z.coerce.number().int().min(1).max(300).default(10),
    OPERATOR_SWEEP_SECONDS: z.coerce.number().int().min(1).max(86_400).default(600),
    OPERATOR_WORKERS: z.coerce.number().int().min(1).max(256).default(16),
    OPERATOR_OUTBOUND_ALLOW: envList.default([]),
    OPERATOR_HEALTH_HOST: z.string().default('127.0.0.1'),
    OPERATOR_HEALTH_PORT: port.default(8081),
    OPERATOR_LOG_LEVEL: z.enum(LOG_LEVELS).default('info'),
  })
  .refine((env) => env.OPERATOR_SOURCE !== 'directory' || env.OPERATOR_DIRECTORY !== undefined, { path: ['OPERATOR_DIRECTORY'], error: 'must name the folder of manifests when OPERATOR_SOURCE is directory' })
  .refine((env) => env.OPERATOR_SOURCE !== 'directory' || env.OPERATOR_WATCH_LABEL_SELECTOR === undefined, { path: ['OPERATOR_WATCH_LABEL_SELECTOR'], error: 'is for OPERATOR_SOURCE kubernetes: a folder has one operator, give each operator its own folder instead' })
  // Two shards with one lease: one of them would wait for ever, and its objects with it.
  .refine((env) => env.OPERATOR_WATCH_LABEL_SELECTOR === undefined || !env.OPERATOR_LEADER_ELECTION || env.OPERATOR_LEASE_NAME !== undefined, { path: ['OPERATOR_LEASE_NAME'], error: 'must be set, and be another one for each shard, when OPERATOR_WATCH_LABEL_SELECTOR is' });

/** Which cluster, and which objects of it. */
interface KubernetesEnvironment {
  readonly kind: 'kubernetes';
  readonly kubeconfig?: string;
  /** Only this namespace; every one unless given. */
  readonly namespace?: string;
  /** Only objects whose labels it selects: those of one shard. */
  readonly labelSelector?: string;
  /** A watch on which nothing arrives for so long is taken for dead. */
  readonly silenceLimitMs: number;
}

/** Everything the operator's process can be told. */
export interface OperatorEnvironment {
  readonly shellUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly platformUrl: string;
  readonly source: { readonly kind: 'directory'; readonly directory: string } | KubernetesEnvironment;
  /** Undefined: this process is the only one. */
  readonly lease?: { readonly namespace: string; readonly name: string };
  readonly podName?: string;
  readonly workers: number;
  /** Tells the entries of one cluster from those of another in the same registry; undefined = unknown. */
  readonly installation?: string;
  /** Time between two checks of an app that has just begun to fail, or to recover. */
  readonly recheckMs: number;
  /** Time between two searches for entries without an object. */
  readonly sweepMs: number;
  readonly outboundAllow: readonly string[];
  readonly health: { readonly host: string; readonly port: number };
  readonly logLevel: LogLevel;
}

/** Throws with every problem of the environment at once. */
export function readOperatorEnvironment(env: Readonly<Record<string, string | undefined>> = process.env): OperatorEnvironment {
  const e = readEnvironment(Environment, env);
  const clustered = e.OPERATOR_SOURCE === 'kubernetes';
  return {
    shellUrl: e.OPERATOR_SHELL_URL,
    clientId: e.OPERATOR_CLIENT_ID,
    clientSecret: e.OPERATOR_CLIENT_SECRET,
    platformUrl: e.OPERATOR_PLATFORM_URL,
    source: clustered ? kubernetesSource(e) : { kind: 'directory', directory: e.OPERATOR_DIRECTORY as string },
    lease: clustered && e.OPERATOR_LEADER_ELECTION ? { namespace: e.OPERATOR_LEASE_NAMESPACE, name: e.OPERATOR_LEASE_NAME ?? 'satellite-operator' } : undefined,
    podName: e.OPERATOR_POD_NAME,
    workers: e.OPERATOR_WORKERS,
    installation: e.OPERATOR_INSTALLATION || undefined,
    recheckMs: e.OPERATOR_RECHECK_SECONDS * 1000,
    sweepMs: e.OPERATOR_SWEEP_SECONDS * 1000,
    outboundAllow: e.OPERATOR_OUTBOUND_ALLOW,
    health: { host: e.OPERATOR_HEALTH_HOST, port: e.OPERATOR_HEALTH_PORT },
    logLevel: e.OPERATOR_LOG_LEVEL,
  };
}

function kubernetesSource(e: z.output<typeof Environment>): KubernetesEnvironment {
  return {
    kind: 'kubernetes',
    kubeconfig: e.OPERATOR_KUBECONFIG,
    namespace: e.OPERATOR_WATCH_NAMESPACE,
    labelSelector: e.OPERATOR_WATCH_LABEL_SELECTOR,
    silenceLimitMs: e.OPERATOR_WATCH_SILENCE_SECONDS * 1000,
  };
}
