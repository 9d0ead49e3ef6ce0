import type { Database } from '@satellite/kit/db';
import { TenantRepository } from '../../tenant.repository.js';
import { User } from './user.entity.js';

/** People of an organization. */
export class UsersRepository extends TenantRepository<User> {
  constructor(db: Database) {
    super(db, User);
  }

  /** Voids links that were sent to the person and not used. */
  async voidPasswordLinks(userId: string): Promise<void> {
    await this.db.query('delete from password_links where user_id = ? and used_at is null', [userId]);
  }

  /** Removes the person with all that is theirs alone: sessions, identities, links, grants. */
  async remove(user: User): Promise<void> {
    await this.db.query('delete from users where id = ?', [user.id]);
  }
}
