import { DeliveryRunner } from '@satellite/kit/jobs';
import type { Logger, Registry } from '@satellite/kit/telemetry';
import { sign } from '../signature.js';
import type { LocalEvent, LocalStore } from './local-store.repository.js';

const TIMEOUT_MS = 10_000;
const RETRY_SECONDS = 15;

export interface LocalWebhookOptions {
  /** Our own webhook route, as this process reaches it. */
  readonly url: string;
  readonly secret: string;
  readonly metrics: Registry;
  readonly logger: Logger;
}

/** Delivers the events of the local processor as Stripe would: signed, over HTTP, until they are taken. */
export function localWebhooks(store: LocalStore, { url, secret, metrics, logger }: LocalWebhookOptions): DeliveryRunner<LocalEvent> {
  const deliver = async ({ event }: LocalEvent, signal: AbortSignal): Promise<void> => {
    const body = Buffer.from(JSON.stringify(event));
    const signature = sign(body, secret, Math.floor(Date.now() / 1000));
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', 'payment-signature': signature }, body, signal, redirect: 'error' });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`our webhook answers ${answer.status}`);
  };
  return new DeliveryRunner({ name: 'local-payment-events', table: store.events, deliver, metrics, logger, maxAttempts: Infinity, backoff: () => RETRY_SECONDS, timeoutMs: TIMEOUT_MS });
}
