import type { Database } from '@satellite/kit/db';

export { brokenUnique } from '@satellite/kit/db';

/** Slug of the organization that runs the platform; the seed makes it before anybody can register. */
export const PLATFORM_SLUG = 'platform';

/** Facts and locks of organizations that every module with tenants needs. */
export class Tenancy {
  private platformId: string | undefined;

  constructor(private readonly db: Database) {}

  /** True for the organization that runs the platform. */
  async isPlatform(organizationId: string): Promise<boolean> {
    this.platformId ??= (await this.db.query<{ id: string }>('select id from organizations where slug = ?', [PLATFORM_SLUG]))[0]?.id;
    return organizationId === this.platformId;
  }

  /** Makes changes of an organization's people, roles and status take turns. Sign-ins, which only refer to the row, go on. */
  async lock(organizationId: string): Promise<void> {
    await this.db.query('select from organizations where id = ? for no key update', [organizationId]);
  }
}
