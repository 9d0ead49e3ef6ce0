import type express from 'express';
import type { RepeatableWrites } from '@satellite/kit/db';

/** An operation whose requests may be repeated. */
export interface RepeatableOperation<Result, View> {
  /** `users.create`. */
  readonly name: string;
  /** The service's use case; it calls `kept` in its transaction. */
  readonly work: () => Promise<Result>;
  readonly present: (result: Result) => View;
}

/** Organization of callers that nobody knows. */
const NOBODYS = '00000000-0000-0000-0000-000000000000';

/** Honours `Idempotency-Key` on routes that declare it. */
export class Repeatable {
  constructor(private readonly writes: RepeatableWrites) {}

  /** Does the operation, or sends the answer that the same request with the same key has got before, and says so in a header. */
  async once<Result, View>(request: express.Request, key: string | undefined, { name, work, present }: RepeatableOperation<Result, View>): Promise<View> {
    if (key === undefined) return present(await work());
    const { organizationId = NOBODYS, userId = 'anonymous' } = request.user ?? {};
    // the address belongs to what is asked for: it names what the body is about
    const asked = { address: request.originalUrl, body: request.body as unknown };
    const { answer, replayed } = await this.writes.once({ organizationId, actorId: userId, operation: name, key, asked }, work, present);
    if (replayed) request.res?.setHeader('Idempotency-Replayed', 'true');
    return answer;
  }
}
