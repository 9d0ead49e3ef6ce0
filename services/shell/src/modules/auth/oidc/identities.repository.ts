import { randomUUID } from 'node:crypto';
import type { Database } from '@satellite/kit/db';
import type { ProviderIdentity } from './oidc-provider.js';

/** Who at which provider is which user: by issuer and subject, never by e-mail (ASVS 6.8.1). */
export class IdentitiesRepository {
  constructor(private readonly db: Database) {}

  async findUser({ issuer, subject }: ProviderIdentity): Promise<string | undefined> {
    const [row] = await this.db.query<{ userId: string }>('select user_id as "userId" from identities where issuer = ? and subject = ?', [issuer, subject]);
    return row?.userId;
  }

  /** A user with this address, and whether somebody has shown to read its mail: by using a link we sent there. */
  async findByEmail(email: string): Promise<{ userId: string; organizationId: string; proven: boolean } | undefined> {
    const [row] = await this.db.query<{ userId: string; organizationId: string; proven: boolean }>(
      `select u.id as "userId", u.organization_id as "organizationId", (u.password_hash is null or exists (select from password_links l where l.user_id = u.id and l.used_at is not null and lower(l.email) = lower(u.email))) as proven
       from users u where lower(u.email) = lower(?) for update`,
      [email],
    );
    return row;
  }

  /** Two callbacks of one person may come together; the first one wins. */
  async link(userId: string, providerId: string, { issuer, subject }: ProviderIdentity): Promise<void> {
    await this.db.query('insert into identities (id, user_id, provider_id, issuer, subject, created_at) values (?, ?, ?, ?, ?, now()) on conflict (issuer, subject) do nothing', [randomUUID(), userId, providerId, issuer, subject]);
  }
}
