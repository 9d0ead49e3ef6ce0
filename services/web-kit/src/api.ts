import { QueryClient, type QueryFilters } from '@tanstack/react-query';
import createClient, { type Client } from 'openapi-fetch';
import createHooks, { type OpenapiQueryClient } from 'openapi-react-query';
import { ApiError, errorOf } from './errors.js';

/** Where requests get their token from. */
export interface TokenSource {
  /** Rejects when there is none. */
  get(): Promise<string>;
  /** The server no longer takes it. */
  forget(): void;
}

/** The bound that openapi-fetch sets for the paths of a document. */
type Paths = {};

export interface Api<T extends Paths> {
  /** `client.POST('/users', { body })`; rejects with ApiError. */
  readonly client: Client<T>;
  /** `hooks.useQuery('get', '/users')`. */
  readonly hooks: OpenapiQueryClient<T>;
}

/**
 * A client of a service, typed by its OpenAPI document. Sends the token unless the caller sends an Authorization
 * header; asks once more with a new token when the first is refused; turns every refusal into an ApiError.
 */
export function createApi<T extends Paths>(baseUrl: string, tokens?: TokenSource): Api<T> {
  const client = createClient<T>({ baseUrl, fetch: (request) => send(request, tokens) });
  return { client, hooks: createHooks(client) };
}

async function send(request: Request, tokens: TokenSource | undefined): Promise<Response> {
  const retry = request.clone();
  const first = await sendOnce(request, tokens);
  if (first.ok) return first;
  if (first.status === 401 && tokens !== undefined) {
    tokens.forget();
    const second = await sendOnce(retry, tokens);
    if (second.ok) return second;
    throw await errorOf(second);
  }
  throw await errorOf(first);
}

async function sendOnce(request: Request, tokens: TokenSource | undefined): Promise<Response> {
  if (tokens !== undefined && !request.headers.has('authorization')) request.headers.set('authorization', `Bearer ${await tokens.get()}`);
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new ApiError(0, 'NETWORK', 'The server cannot be reached. Check the connection and try again.', undefined, undefined, {});
  }
}

/** One for each app: keys of two apps never meet. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 10_000, refetchOnWindowFocus: true, retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500) },
    },
  });
}

/**
 * Asks anew for what something has changed. Invalidating alone would keep the answer of a first request that is still
 * under way, although that may be from before the change.
 */
export async function askAnew(queries: QueryClient, filters: QueryFilters): Promise<void> {
  await queries.cancelQueries(filters);
  await queries.invalidateQueries(filters);
}
