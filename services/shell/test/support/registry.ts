import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { ConnectError, createClient, type Client, type Code, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { AppRegistry, type AppSchema, type AppSourceSchema } from '@satellite/proto/registry/v1';
import { OPERATOR, type TestShell } from './shell.js';

type App = MessageInitShape<typeof AppSchema> & { readonly slug: string };
type Source = MessageInitShape<typeof AppSourceSchema>;

/** The registry as whoever holds the token gets it. */
export function registryClient(url: string, token?: string): Client<typeof AppRegistry> {
  const bearer: Interceptor = (next) => (request) => {
    if (token !== undefined) request.header.set('authorization', `Bearer ${token}`);
    return next(request);
  };
  return createClient(AppRegistry, createConnectTransport({ baseUrl: `${url}/api`, httpVersion: '1.1', interceptors: [bearer] }));
}

/** The registry as the operator gets it. */
export async function operatorRegistry(shell: TestShell): Promise<Client<typeof AppRegistry>> {
  const { body } = await shell.as().post('/api/auth/service-token').send(OPERATOR).expect(200);
  return registryClient(shell.url, body.data.accessToken as string);
}

export function app(over: MessageInitShape<typeof AppSchema> = {}): App {
  const slug = over.slug ?? `app-${randomUUID().slice(0, 8)}`;
  return { name: slug, type: 'satellite', apiUrl: `/${slug}/api`, organizations: { all: true }, ...over, slug } as App;
}

export const source = (over: Source = {}): Source => ({ uid: randomUUID(), generation: 1n, namespace: 'default', name: `object-${randomUUID()}`, ...over });

/** Code and message with which a call is refused. */
export async function codeOf(work: Promise<unknown>): Promise<[Code, string]> {
  const error = await work.then(() => undefined, (thrown: unknown) => ConnectError.from(thrown));
  if (!error) throw new Error('it was not refused');
  return [error.code, error.rawMessage];
}
