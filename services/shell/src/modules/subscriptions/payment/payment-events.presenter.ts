import type { PaymentEvent } from './payment-event.entity.js';
import type { PaymentEventView } from './payments.dto.js';

export function presentPaymentEvent({ id, processor, type, subscriptionId, status, attempts, lastError, createdAt, receivedAt, processedAt, nextAttemptAt }: PaymentEvent): PaymentEventView {
  return { id, processor, type, subscriptionId: subscriptionId ?? null, status, attempts, reason: lastError ?? null, createdAt, receivedAt, processedAt: processedAt ?? null, nextAttemptAt: status === 'pending' ? nextAttemptAt : null };
}
