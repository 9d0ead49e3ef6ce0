import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { messageOf } from '@satellite/kit/core';
import { KeptFile, type ClusterAccess, type Credentials } from './cluster-access.js';
import { ExecPlugin, ExecSettings } from './exec-plugin.js';

const text = z.string().min(1);
const Cluster = z.object({
  server: z.url({ protocol: /^https?$/ }),
  'certificate-authority': text.optional(),
  'certificate-authority-data': text.optional(),
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': text.optional(),
  'proxy-url': z.never({ error: 'proxies are not supported' }).optional(),
});
const User = z.object({
  token: text.optional(),
  tokenFile: text.optional(),
  'client-certificate': text.optional(),
  'client-certificate-data': text.optional(),
  'client-key': text.optional(),
  'client-key-data': text.optional(),
  username: text.optional(),
  password: text.optional(),
  exec: ExecSettings.optional(),
  'auth-provider': z.never({ error: 'auth providers are gone from Kubernetes; use exec' }).optional(),
});
const Kubeconfig = z.object({
  'current-context': text,
  clusters: z.array(z.object({ name: z.string(), cluster: Cluster })),
  contexts: z.array(z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string().optional() }) })),
  users: z.array(z.object({ name: z.string(), user: User.nullish() })).nullish(),
});
type Cluster = z.output<typeof Cluster>;
type User = z.output<typeof User>;

/** The kubeconfig cannot be used; says which file and what is wrong with it. */
export class UnusableKubeconfig extends Error {
  override readonly name = 'UnusableKubeconfig';
  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`The kubeconfig ${path} cannot be used: ${problem}`, options);
  }
}

/** Access by the current context of a kubeconfig file. Not the official client: it loads 1,300 modules and 90 MB for this. */
export async function readKubeconfig(path: string): Promise<ClusterAccess> {
  const config = await parse(path);
  const context = config.contexts.find(({ name }) => name === config['current-context'])?.context;
  if (!context) throw new UnusableKubeconfig(path, `it has no context "${config['current-context']}"`);
  const cluster = config.clusters.find(({ name }) => name === context.cluster)?.cluster;
  if (!cluster) throw new UnusableKubeconfig(path, `it has no cluster "${context.cluster}"`);
  const user = config.users?.find(({ name }) => name === context.user);
  if (context.user !== undefined && !user) throw new UnusableKubeconfig(path, `it has no user "${context.user}"`);
  return accessOf(cluster, user?.user ?? {}, dirname(path));
}

async function parse(path: string): Promise<z.output<typeof Kubeconfig>> {
  // Loaded only here: in a pod there is no kubeconfig to read.
  const { parse: parseYaml } = await import('yaml');
  try {
    return Kubeconfig.parse(parseYaml(await readFile(path, 'utf8')));
  } catch (error) {
    // Messages of zod name fields, never values: a kubeconfig is a secret.
    const problem = error instanceof z.ZodError ? error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ') : messageOf(error);
    throw new UnusableKubeconfig(path, problem, { cause: error });
  }
}

function accessOf(cluster: Cluster, user: User, folder: string): ClusterAccess {
  const ca = material(cluster['certificate-authority-data'], cluster['certificate-authority'], folder);
  return {
    server: cluster.server.replace(/\/$/, ''),
    servername: cluster['tls-server-name'],
    rejectUnauthorized: cluster['insecure-skip-tls-verify'] !== true,
    ca,
    credentials: credentialsOf(user, cluster, folder),
  };
}

function credentialsOf(user: User, cluster: Cluster, folder: string): () => Promise<Credentials> {
  const plugin = user.exec && new ExecPlugin(user.exec, { server: cluster.server, folder });
  const cert = material(user['client-certificate-data'], user['client-certificate'], folder);
  const key = material(user['client-key-data'], user['client-key'], folder);
  const token = user.tokenFile === undefined ? async () => user.token : material(undefined, user.tokenFile, folder);
  return async () => {
    if (plugin) return plugin.credentials();
    const bearer = (await token())?.trim();
    const basic = user.username === undefined ? undefined : `Basic ${Buffer.from(`${user.username}:${user.password ?? ''}`).toString('base64')}`;
    return { authorization: bearer === undefined ? basic : `Bearer ${bearer}`, cert: await cert(), key: await key() };
  };
}

/** Data that the file carries in base64, or the content of another file, which may be rotated; paths are relative to the kubeconfig. */
function material(data: string | undefined, path: string | undefined, folder: string): () => Promise<string | undefined> {
  const decoded = data === undefined ? undefined : Buffer.from(data, 'base64').toString('utf8');
  if (decoded !== undefined || path === undefined) return () => Promise.resolve(decoded);
  const file = new KeptFile(resolve(folder, path));
  return () => file.text();
}
