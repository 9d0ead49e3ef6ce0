import { createHash } from 'node:crypto';
import { wrapPayload, type Envelope } from '@satellite/kit/http';
import { presentPricedPlan } from './plans.presenter.js';
import type { PlansRepository } from './plans.repository.js';

/** An answer of `GET /api/config/plans`, ready to send. */
export interface PreparedList {
  readonly body: Buffer;
  readonly entityTag: string;
}

/** The plans on offer, assembled once for each change that this process has heard of. */
export class PriceList {
  private kept: { readonly revision: number; readonly list: PreparedList } | undefined;

  /** @param newest number of the newest change of plans or apps that this process knows of */
  constructor(
    private readonly plans: PlansRepository,
    private readonly newest: () => number,
    private readonly envelope: Envelope,
  ) {}

  async current(): Promise<PreparedList> {
    const revision = this.newest(); // before the database is read: what changes meanwhile has a higher number
    if (this.kept !== undefined && this.kept.revision >= revision) return this.kept.list;
    const plans = await this.plans.offered();
    const limits = await this.plans.limitsOf(plans.map(({ id }) => id));
    const body = Buffer.from(JSON.stringify(wrapPayload(this.envelope, 200, plans.map((plan) => presentPricedPlan(plan, limits.get(plan.id) ?? [])))));
    const list = { body, entityTag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
    if (this.kept === undefined || this.kept.revision < revision) this.kept = { revision, list };
    return list;
  }
}
