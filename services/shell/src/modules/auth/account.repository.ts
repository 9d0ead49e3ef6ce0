import type { Database } from '@satellite/kit/db';

/** A person with their organization, as section 2.3 of the interface has it. */
export interface ProfileRecord {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly organizationId: string;
  readonly preferences: Record<string, unknown>;
  readonly organization: { readonly id: string; readonly name: string; readonly slug: string; readonly type: string; readonly subscriptionPlan: string };
}

export class AccountRepository {
  constructor(private readonly db: Database) {}

  async profile(userId: string): Promise<ProfileRecord | undefined> {
    const [row] = await this.db.query<ProfileRecord>(
      `select u.id, u.email, u.username, u.first_name as "firstName", u.last_name as "lastName", u.organization_id as "organizationId", u.preferences,
              jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'type', o.type, 'subscriptionPlan', o.subscription_plan) as organization
       from users u join organizations o on o.id = u.organization_id where u.id = ?`,
      [userId],
    );
    return row;
  }

  async lockPreferences(userId: string): Promise<Record<string, unknown>> {
    const [row] = await this.db.query<{ preferences: Record<string, unknown> }>('select preferences from users where id = ? for update', [userId]);
    return row?.preferences ?? {};
  }

  async setPreferences(userId: string, preferences: Record<string, unknown>): Promise<void> {
    await this.db.query('update users set preferences = ?::jsonb, updated_at = now() where id = ?', [JSON.stringify(preferences), userId]);
  }
}
