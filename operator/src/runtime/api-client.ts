import type { RequestOptions } from 'node:https';
import { setTimeout as later } from 'node:timers/promises';
import type { KubeConfig } from '@kubernetes/client-node';
import { messageOf } from '@satellite/kit/core';
import { Agent, request, type Dispatcher } from 'undici';
import { ApiStatusError, ApiUnreachable } from './api-error.js';
import { parseLines } from './json-lines.js';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Form of the answer; whole objects as JSON unless given. */
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

interface Connection {
  readonly dispatcher: Dispatcher;
  readonly tls: string;
}

/** Time for an answer's headers; a watch answers at once and then stays open. */
const ANSWER_LIMIT_MS = 30_000;
/** Time between two pieces of an answer that is no watch. */
const PIECE_LIMIT_MS = 20_000;
/** Times a refused request (429) is sent again before the caller hears of it. */
const PATIENCE = 3;

/**
 * Requests to an API server with the credentials of a kubeconfig. Not the generated client: that one cannot send
 * bookmarks, notice dead watches or name a subresource in an apply.
 */
export class ApiClient {
  private connection: Connection | undefined;

  constructor(private readonly config: KubeConfig) {}

  /** Sends a request and returns the parsed answer; throws ApiStatusError for any status but 2xx, ApiUnreachable without an answer. */
  async send<T>(path: string, options: ApiRequest = {}): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await this.open(path, options, PIECE_LIMIT_MS);
        return (await response.body.json()) as T;
      } catch (error) {
        if (!(error instanceof ApiStatusError)) throw new ApiUnreachable(`${options.method ?? 'GET'} ${path}: ${messageOf(error)}`, { cause: error });
        // The API server sheds load this way and nothing was done; it says itself when to come back.
        if (error.status !== 429 || attempt > PATIENCE) throw error;
        await later(Math.min(error.retryAfterMs ?? 1000, 5000), undefined, { signal: options.signal }).catch(() => {
          throw error;
        });
      }
    }
  }

  /**
   * The values of a stream of JSON lines, as long as the API server keeps it open.
   * @param heard called for every piece that arrives
   */
  async *stream<T>(path: string, options: ApiRequest, heard: () => void): AsyncIterable<T> {
    // Silence on a watch is judged by the reflector, which knows about bookmarks.
    const response = await this.open(path, options, 0);
    try {
      yield* parseLines<T>(noticed(response.body, heard));
    } finally {
      response.body.destroy();
    }
  }

  async close(): Promise<void> {
    await this.connection?.dispatcher.destroy();
  }

  private async open(path: string, { method = 'GET', query = {}, body, contentType = 'application/json', accept = 'application/json', signal }: ApiRequest, bodyTimeout: number): Promise<Dispatcher.ResponseData> {
    const cluster = this.config.getCurrentCluster();
    if (!cluster) throw new Error('The kubeconfig names no current cluster.');
    const url = new URL(`${cluster.server.replace(/\/$/, '')}${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value));
    const { headers, dispatcher } = await this.credentials();
    const response = await request(url, {
      method,
      dispatcher,
      signal,
      headersTimeout: ANSWER_LIMIT_MS,
      bodyTimeout,
      headers: { accept, ...headers, ...(body === undefined ? {} : { 'content-type': contentType }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (response.statusCode < 300) return response;
    throw await refusal(response);
  }

  /** Headers anew for each request, because tokens are rotated; a new connection pool when the certificates are. */
  private async credentials(): Promise<{ headers: Record<string, string>; dispatcher: Dispatcher }> {
    const options: RequestOptions = { headers: {} };
    await this.config.applyToHTTPSOptions(options);
    const { ca, cert, key, rejectUnauthorized, servername } = options;
    const tls = JSON.stringify([ca, cert, key, rejectUnauthorized, servername].map(String));
    if (this.connection?.tls !== tls) {
      const previous = this.connection?.dispatcher;
      this.connection = { tls, dispatcher: new Agent({ connections: 64, connect: { ca, cert, key, rejectUnauthorized, servername, keepAlive: true, keepAliveInitialDelay: 15_000 } }) };
      previous?.close().catch(() => undefined);
    }
    const basic: Record<string, string> = options.auth ? { authorization: `Basic ${Buffer.from(options.auth).toString('base64')}` } : {};
    return { headers: { ...(options.headers as Record<string, string>), ...basic }, dispatcher: (this.connection as Connection).dispatcher };
  }
}

async function* noticed(pieces: AsyncIterable<Uint8Array>, heard: () => void): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    heard();
    yield piece;
  }
}

async function refusal(response: Dispatcher.ResponseData): Promise<ApiStatusError> {
  const text = await response.body.text();
  const retryAfter = Number(response.headers['retry-after']);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = { message: `the API server answered ${response.statusCode}: ${text.slice(0, 200)}` };
  }
  return ApiStatusError.fromStatus(body, response.statusCode, Number.isFinite(retryAfter) ? retryAfter : undefined);
}
