import { isAppError, messageOf, singleLine } from '@satellite/kit/core';
import { OutboundRefused, type OutboundRequest, type OutboundResponse } from '@satellite/kit/outbound';
import { Stalled, Waiting } from '../../../runtime/errors.js';
import type { Run } from '../run.js';

/** A dead app is asked again at least this often. */
export const PROBE_RETRY = { maxDelayMs: 60_000 } as const;
const PROBE_LIMIT_MS = 5000;

/** A URL of the object as the operator calls it: paths are on the platform's own origin. */
export function resolveUrl(run: Run, base: string, path: string): string {
  const absolute = new URL(base, run.tools.platformUrl);
  absolute.pathname = `${absolute.pathname.replace(/\/$/, '')}${path}`;
  absolute.search = '';
  return absolute.href;
}

/**
 * One probe request. Throws Waiting with `reason` when nobody answers properly, Stalled when the address must not be called.
 */
export async function probe(run: Run, url: string, reason: string, request: Pick<OutboundRequest, 'maxBytes' | 'headers'>): Promise<OutboundResponse> {
  try {
    return await run.tools.door.fetch(url, { ...request, timeoutMs: PROBE_LIMIT_MS, signal: run.signal });
  } catch (error) {
    if (error instanceof OutboundRefused) throw new Stalled('AddressRefused', `${url} is not called: ${error.message}`, { cause: error });
    const detail = isAppError(error) ? error.message : singleLine(messageOf(error));
    throw new Waiting(reason, `${url} does not answer: ${detail}`, PROBE_RETRY, { cause: error });
  }
}
