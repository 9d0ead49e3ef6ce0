import type { PressedLimit, QuotaPressureRepository } from './quota-pressure.repository.js';
import type { QuotaRepository } from './quota.repository.js';

/** Which limits are nearly used up. */
export class QuotaPressure {
  constructor(
    private readonly quota: QuotaRepository,
    private readonly pressure: QuotaPressureRepository,
  ) {}

  /** The `limit` highest of an organization, or of the whole platform, and how many there are in all. */
  async pressed(organizationId: string | undefined, limit: number): Promise<{ total: number; limits: readonly PressedLimit[] }> {
    if (organizationId === undefined) return this.pressure.pressed(limit);
    const organizationName = await this.pressure.nameOf(organizationId);
    const usage = (await this.quota.usage(organizationId)).filter((of) => of.limit !== -1 && of.used * 5 > of.limit * 4);
    const share = (of: { used: number; limit: number }): number => (of.limit === 0 ? Infinity : of.used / of.limit);
    const limits = usage.map(({ limitKey, limit: allowed, used, period }) => ({ organizationId, organizationName, limitKey, limit: allowed, used, period })).sort((a, b) => share(b) - share(a));
    return { total: limits.length, limits: limits.slice(0, limit) };
  }
}
