import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { messageOf } from '@satellite/kit/core';
import { Stalled, Waiting } from '../../../runtime/errors.js';
import { NoSurface, SURFACE_LIMIT, SurfaceTooLarge, surfaceDigest, surfaceOf, surfaceText } from '../api/surface.js';
import type { Run, ServedApi } from '../run.js';
import { CONDITION } from '../satellite-app.js';
import { probe, PROBE_RETRY, resolveUrl } from './probe.js';

const HEALTH_LIMIT = 64 * 1024;
const OPENAPI_LIMIT = 5 * 1024 * 1024;
/** Values in it. Text costs little, but a few bytes that begin an object or a list cost as much as a page of text. */
const VALUES_LIMIT = 150_000;
const [COMMA, BRACE, BRACKET] = [0x2c, 0x7b, 0x5b];
/** The Shell keeps so much of an API, compressed, and refuses the report with more. */
const KEPT_LIMIT = 512 * 1024;
const compressed = promisify(gzip);

/** The API must be healthy; that it describes itself is wished for, and said, but nothing depends on it. */
export async function probeApi(run: Run): Promise<void> {
  const url = resolveUrl(run, run.app.spec.apiUrl, '/health');
  try {
    const { status } = await probe(run, url, 'APIUnreachable', { maxBytes: HEALTH_LIMIT });
    if (status !== 200) throw new Waiting('APIUnreachable', `${url} answers ${status} instead of 200.`, PROBE_RETRY);
  } catch (error) {
    run.state(CONDITION.apiCompatible, 'Unknown', error instanceof Stalled || error instanceof Waiting ? error.reason : 'ProbeFailed', messageOf(error));
    throw error;
  }
  try {
    run.servedApi = await servedSurface(run);
    run.state(CONDITION.apiCompatible, 'True', 'OpenAPIFound', 'The API is healthy and serves its OpenAPI document.');
  } catch (error) {
    run.signal.throwIfAborted();
    if (error instanceof NoDescription) return run.state(CONDITION.apiCompatible, 'Unknown', error.reason, `The API is healthy; ${error.message}`);
    run.state(CONDITION.apiCompatible, 'Unknown', 'OpenAPIMissing', `The API is healthy; ${messageOf(error)}`);
  }
}

/** Why nothing can be said about what the API offers. */
class NoDescription extends Error {
  constructor(
    readonly reason: 'OpenAPIMissing' | 'OpenAPITooLarge' | 'OpenAPIUnsupported',
    message: string,
  ) {
    super(message);
  }
}

async function servedSurface(run: Run): Promise<ServedApi> {
  const url = resolveUrl(run, run.app.spec.apiUrl, '/doc/openapi.json');
  const { status, body } = await probe(run, url, 'OpenAPIMissing', { maxBytes: OPENAPI_LIMIT });
  if (status !== 200) throw new NoDescription('OpenAPIMissing', `${url} answers ${status} instead of an OpenAPI document.`);
  if (hasMoreValues(body, VALUES_LIMIT)) throw new NoDescription('OpenAPITooLarge', `${url} is not compared: it has more than ${VALUES_LIMIT} values. Describe less, or split the app.`);
  try {
    return await described(body, url);
  } catch (error) {
    if (error instanceof SurfaceTooLarge) throw new NoDescription('OpenAPITooLarge', `${url} is not compared: ${error.message}. Describe less, or split the app.`);
    if (error instanceof NoSurface) throw new NoDescription('OpenAPIUnsupported', `${url} is not compared: ${error.message}.`);
    throw error;
  }
}

/** Looked at without reading the text; commas of texts count too. */
export function hasMoreValues(json: Uint8Array, limit: number): boolean {
  let found = 0;
  for (let at = 0; at < json.length && found <= limit; at += 1) if (json[at] === COMMA || json[at] === BRACE || json[at] === BRACKET) found += 1;
  return found > limit;
}

/** What a document says, if it can be compared and kept. */
export async function described(body: Buffer, url: string): Promise<ServedApi> {
  const { surface, text } = read(body, url);
  // What is half as long uncompressed need not be compressed to know that it fits.
  if (Buffer.byteLength(text) > KEPT_LIMIT / 2 && (await compressed(text)).length > KEPT_LIMIT) throw new SurfaceTooLarge(`its operations and schemas are more than ${KEPT_LIMIT} bytes compressed`);
  return { surface, text, digest: surfaceDigest(text) };
}

/** At one go, so that there is one parsed document at a time: each can be a hundred megabytes, and nothing keeps it afterwards. */
function read(body: Buffer, url: string): Pick<ServedApi, 'surface' | 'text'> {
  const document = parsed(body.toString('utf8'), url);
  if (typeof (document?.openapi ?? document?.swagger) !== 'string') throw new NoDescription('OpenAPIMissing', `${url} is not an OpenAPI document.`);
  const surface = surfaceOf(document);
  const text = surfaceText(surface);
  if (text.length > SURFACE_LIMIT) throw new SurfaceTooLarge(`it describes more than ${SURFACE_LIMIT} characters of operations and schemas`);
  return { surface, text };
}

function parsed(text: string, url: string): { readonly openapi?: unknown; readonly swagger?: unknown } | null {
  try {
    return JSON.parse(text) as { readonly openapi?: unknown } | null;
  } catch {
    throw new NoDescription('OpenAPIMissing', `${url} is not JSON.`);
  }
}
