import { lookup as dnsLookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isAppError, messageOf } from '../core/index.js';
import { HostAllowList, isPublicAddress } from './addresses.js';
import { OutboundFailed, OutboundRefused, OutboundTimeout, OutboundTooLarge } from './errors.js';

export interface OutboundOptions {
  /** Hosts that may have a private address: `host`, `host:port`, `*.suffix`. */
  readonly allow: readonly string[];
  /** Name resolution; replaced in tests to play a rebinding name server. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  /** Longest body that is read, in bytes. */
  readonly maxBytes: number;
  /** For the whole exchange, redirects included, in milliseconds. */
  readonly timeoutMs: number;
  /** Redirects that are followed (default 3), each checked like the first address. */
  readonly maxRedirects?: number;
  readonly signal?: AbortSignal;
}

export interface OutboundResponse {
  readonly status: number;
  /** Lower-case names; several values are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Address that answered, after redirects. */
  readonly url: string;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** How long an address may not answer before the name's next one is tried. */
const SILENT_ADDRESS_MS = 1000;
/** A connection waits so long for the next request to the same host: what belongs together is asked over one. */
const KEPT_MS = 1000;
const KEPT_CONNECTIONS = 32;
const KEPT: http.AgentOptions = { keepAlive: true, timeout: KEPT_MS, maxFreeSockets: KEPT_CONNECTIONS };

/**
 * The one way out to addresses that a user can name. Scheme, address, redirect, size and time are checked here;
 * the name is resolved once and the connection goes to one of the addresses that were checked (no rebinding).
 */
export class OutboundDoor {
  private readonly allowList: HostAllowList;
  private readonly resolve: (host: string) => Promise<readonly string[]>;
  private readonly kept = { 'http:': byAddresses(new http.Agent(KEPT)), 'https:': byAddresses(new https.Agent(KEPT)) };

  constructor(options: OutboundOptions) {
    this.allowList = new HostAllowList(options.allow);
    this.resolve = options.resolve ?? (async (host) => (await dnsLookup(host, { all: true })).map((entry) => entry.address));
  }

  /**
   * Throws OutboundRefused (nothing was sent), OutboundFailed, OutboundTimeout or OutboundTooLarge.
   * Any status is an answer; the caller decides what it means.
   */
  async fetch(target: string, request: OutboundRequest): Promise<OutboundResponse> {
    const timeout = AbortSignal.timeout(request.timeoutMs);
    const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
    try {
      return await this.follow(parseTarget(target), request, signal);
    } catch (error) {
      if (isAppError(error)) throw error;
      const host = hostOf(target);
      if (timeout.aborted) throw new OutboundTimeout(`${host} did not answer completely within ${request.timeoutMs} ms.`, { host });
      throw new OutboundFailed(`${host} cannot be reached: ${reasonOf(error)}.`, { host }, { cause: error });
    }
  }

  private async follow(first: URL, request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    let url = first;
    for (let hops = 0; ; hops += 1) {
      const addresses = await abortable(this.checkedAddresses(url), signal);
      const response = await exchange(url, addresses, request, signal, this.kept[url.protocol as 'http:' | 'https:']);
      const location = response.headers['location'];
      if (!REDIRECTS.has(response.status) || location === undefined) return response;
      if (hops >= (request.maxRedirects ?? 3)) throw new OutboundRefused('outbound.redirect_refused', `${url.host} redirects too often.`, { host: url.host });
      url = redirectTarget(url, location);
    }
  }

  /** The addresses to connect to, at least one; refuses when any address of the name is private, since the next answer may be another one. */
  private async checkedAddresses(url: URL): Promise<readonly string[]> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const literal = isIP(host) !== 0;
    const addresses = literal ? [host] : await this.resolve(host);
    if (addresses.length === 0) throw new OutboundFailed(`${host} has no address.`, { host });
    if (!this.allowList.allows(url) && !addresses.every(isPublicAddress)) {
      throw new OutboundRefused('outbound.address_refused', `${url.host} is not a public address. Use a public one, or have the host listed in the outbound allow-list of this deployment.`, { host: url.host });
    }
    return addresses;
  }
}

/** Where a redirect leads; throws OutboundRefused for other schemes and for a step from https down to http. */
export function redirectTarget(from: URL, location: string): URL {
  if (!URL.canParse(location, from.href)) throw new OutboundRefused('outbound.redirect_refused', `${from.host} redirects to something that is not a URL.`, { host: from.host });
  const to = parseTarget(new URL(location, from).href);
  if (from.protocol === 'https:' && to.protocol === 'http:') throw new OutboundRefused('outbound.redirect_refused', `${from.host} redirects from https to http.`, { host: from.host });
  return to;
}

function parseTarget(target: string): URL {
  if (/[\\\s]/.test(target) || !URL.canParse(target)) throw new OutboundRefused('outbound.url_invalid', 'The address is not a valid URL.');
  const url = new URL(target);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new OutboundRefused('outbound.scheme_refused', `Only http and https addresses are called, not ${url.protocol}//.`);
  if (url.username !== '' || url.password !== '') throw new OutboundRefused('outbound.url_invalid', 'The address must not carry a user name or password.');
  return url;
}

/** Answers the checked addresses for whatever name is asked, so that nobody resolves it again. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    if (options.all) callback(null, all);
    else callback(null, all[0]?.address ?? '', all[0]?.family);
  };
}

/** Goes on only with connections that were made to the very addresses which have just been checked. */
function byAddresses(agent: http.Agent): http.Agent {
  const nameOf = agent.getName.bind(agent);
  agent.getName = (options) => `${nameOf(options)}:${(options as { readonly checked?: string } | undefined)?.checked ?? ''}`;
  return agent;
}

/**
 * One request to the first checked address that takes the connection; the TLS name and Host header stay those of the URL.
 * @param agent with connections to go on with; false: a new one for this request only
 */
function exchange(url: URL, addresses: readonly string[], request: OutboundRequest, signal: AbortSignal, agent: http.Agent | false): Promise<OutboundResponse> {
  // Node goes through the addresses itself (RFC 8305): the next after a refusal or a silent second, before anything is sent
  const connection = { lookup: pinnedTo(addresses), checked: addresses.join(), agent, signal, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: SILENT_ADDRESS_MS };
  return new Promise((resolve, reject) => {
    const outgoing = (url.protocol === 'https:' ? https : http).request(
      url,
      // identity: what is counted is what is kept, so no bomb can unfold here
      { ...connection, method: request.method ?? 'GET', headers: { accept: '*/*', 'user-agent': 'satellite-platform', ...request.headers, 'accept-encoding': 'identity' } },
      (incoming) => {
        collect(incoming, url, request).then((body) => {
          resolve({ status: incoming.statusCode ?? 0, headers: flatten(incoming.headers), body, url: url.href });
        }, (error: unknown) => {
          outgoing.destroy();
          reject(error instanceof Error ? error : new Error(String(error)));
        });
      },
    );
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // the other side gave up the kept connection just when we used it: nothing was answered, and no method here changes anything
      if (outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) resolve(exchange(url, addresses, request, signal, false));
      else reject(error);
    });
    outgoing.end();
  });
}

async function collect(incoming: http.IncomingMessage, url: URL, { method, maxBytes }: OutboundRequest): Promise<Buffer> {
  const tooLarge = (): OutboundTooLarge => new OutboundTooLarge(`The answer of ${url.host} is larger than ${maxBytes} bytes.`, { host: url.host, maxBytes });
  const encoding = incoming.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw new OutboundTooLarge(`${url.host} answers with content encoding ${encoding}, which was not asked for.`, { host: url.host });
  if (method !== 'HEAD' && Number(incoming.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function flatten(headers: http.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]])));
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new Error('aborted'));
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function hostOf(target: string): string {
  return URL.canParse(target) ? new URL(target).host : 'The address';
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  const known: Record<string, string> = { ENOTFOUND: 'the name does not exist', EAI_AGAIN: 'the name cannot be resolved now', ECONNREFUSED: 'the connection is refused', ECONNRESET: 'the connection was cut', EHOSTUNREACH: 'no route leads there', ENETUNREACH: 'no route leads there', ETIMEDOUT: 'nobody answers there' };
  return (code !== undefined && known[code]) || messageOf(error);
}
