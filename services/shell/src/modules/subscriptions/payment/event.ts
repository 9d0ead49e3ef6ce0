import { z } from 'zod';
import { InvalidSignature } from './payment.errors.js';
import type { ProcessorEvent } from './processor.js';

const reference = z.union([z.string().max(128), z.object({ id: z.string().max(128) }).transform(({ id }) => id)]).nullish();
const EventShape = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(128),
  created: z.int().min(0).max(1e11),
  data: z.looseObject({
    object: z.looseObject({
      object: z.string(),
      id: z.string().max(255).optional(),
      subscription: reference,
      parent: z.looseObject({ subscription_details: z.looseObject({ subscription: reference }).nullish() }).nullish(),
    }),
  }),
});

/** An event whose signature has been checked, in the shape that Stripe gave events and the local processor uses as well. */
export function eventOf(body: Buffer): ProcessorEvent {
  const parsed = EventShape.safeParse(JSON.parse(body.toString('utf8')));
  if (!parsed.success) throw new InvalidSignature();
  const { id, type, created, data } = parsed.data;
  const { object } = data;
  const subscriptionId = object.object === 'subscription' ? object.id : (object.subscription ?? object.parent?.subscription_details?.subscription ?? undefined);
  return { id, type, created: new Date(created * 1000), subscriptionId, payload: parsed.data };
}
