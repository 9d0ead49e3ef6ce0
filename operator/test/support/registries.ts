import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { ConnectError, type Code } from '@connectrpc/connect';
import { createServiceTokenClient, type ServiceTokenClient } from '@satellite/kit/auth';
import type { AppReportSchema, AppSchema, AppSourceSchema } from '@satellite/proto/registry/v1';
import { connectRegistry, type RegistryClient } from '../../src/controllers/satellite-app/registry-client.js';
import { RegistryDouble } from './registry-double.js';
import { ShellPlatform } from './shell-platform.js';

export type App = MessageInitShape<typeof AppSchema>;
export type Source = MessageInitShape<typeof AppSourceSchema>;
type Report = MessageInitShape<typeof AppReportSchema>;

/** A registry behind a real listener, and what administrators do to it. */
export interface Candidate {
  readonly shellUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  rename(slug: string, name: string): Promise<void>;
  addByHand(slug: string): Promise<void>;
  close(): Promise<void>;
}

async function theDouble(): Promise<Candidate> {
  const double = new RegistryDouble();
  return {
    shellUrl: await double.listen(),
    clientId: 'operator',
    clientSecret: 'secret',
    rename: async (slug, name) => double.edit(slug, (app) => (app.name = name)),
    addByHand: async (slug) => double.seed({ slug, name: slug, type: 'satellite', apiUrl: `/${slug}/api` }),
    close: () => double.close(),
  };
}

async function theShell(): Promise<Candidate> {
  const platform = await ShellPlatform.start();
  const { shellUrl, clientId, clientSecret } = platform;
  return {
    shellUrl, clientId, clientSecret,
    rename: async (slug, name) => {
      const entry = await platform.entry(slug);
      await platform.asAdmin('PUT', `/api/admin/apps/${entry?.id}?force=true`, { name });
    },
    addByHand: async (slug) => {
      await platform.asAdmin('POST', '/api/admin/apps', { slug, name: slug, type: 'satellite', apiUrl: `/${slug}/api` });
    },
    close: () => platform.close(),
  };
}

/** What the operator is tested against must be what it meets: each list of checks is for both. */
export const REGISTRIES = [
  ['the double of the tests', theDouble],
  ["the Shell's registry", theShell],
] as const;

export interface ConnectedRegistry {
  readonly candidate: Candidate;
  readonly registry: RegistryClient;
  readonly tokens: ServiceTokenClient;
  entryOf(slug: string): Promise<Awaited<ReturnType<RegistryClient['listApps']>>['apps'][number] | undefined>;
}

/** One registry and the operator's client of it for all tests of a `describe`. */
export function useRegistry(open: () => Promise<Candidate>): () => ConnectedRegistry {
  let connected: ConnectedRegistry;
  let close: () => Promise<void> = () => Promise.resolve();
  beforeAll(async () => {
    const candidate = await open();
    const { shellUrl, clientId, clientSecret } = candidate;
    const tokens = createServiceTokenClient({ tokenUrl: `${shellUrl}/api/auth/service-token`, clientId, clientSecret });
    const connection = connectRegistry({ shellUrl, tokens });
    connected = { candidate, tokens, registry: connection.registry, entryOf: async (slug) => (await connection.registry.listApps({ slug })).apps[0] };
    close = async () => {
      connection.close();
      await candidate.close();
    };
  });
  afterAll(() => close());
  return () => connected;
}

export function app(over: App = {}): App & { slug: string } {
  const slug = over.slug ?? `app-${randomUUID().slice(0, 8)}`;
  return { name: `App ${slug}`, type: 'satellite', apiUrl: `/${slug}/api`, organizations: { all: true }, ...over, slug } as App & { slug: string };
}

export function source(over: Source = {}): Source {
  return { uid: randomUUID(), generation: 1n, namespace: 'default', name: `object-${randomUUID()}`, ...over };
}

export function report(over: Report = {}): Report {
  return { digest: randomUUID(), observedGeneration: 1n, conditions: [{ type: 'Ready', status: 'True', reason: 'Registered', message: '', lastTransitionTime: '2026-01-02T03:04:05Z', observedGeneration: 1n }], ...over } as Report;
}

/** How a call was refused. */
export async function codeOf(work: Promise<unknown>): Promise<Code> {
  const error = await work.then(() => undefined, (thrown: unknown) => ConnectError.from(thrown));
  if (!error) throw new Error('it was not refused');
  return error.code;
}
