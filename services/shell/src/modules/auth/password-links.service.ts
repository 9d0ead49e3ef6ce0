import { randomUUID } from 'node:crypto';
import type { Database } from '@satellite/kit/db';
import type { AuditTrail } from '../audit/index.js';
import { InvalidPasswordLink } from './auth.errors.js';
import type { AuthRepository } from './auth.repository.js';
import { digest, randomToken } from './digest.js';
import type { MailQueue } from './mail-queue.js';
import type { PasswordHasher } from './password-hasher.js';
import { assertUsablePassword } from './passwords.js';
import type { SessionsService } from './sessions.service.js';

const RESET_SECONDS = 3600;
const INVITATION_SECONDS = 7 * 24 * 3600;

export interface PasswordLinksServiceDeps {
  readonly db: Database;
  readonly people: AuthRepository;
  readonly hasher: PasswordHasher;
  readonly sessions: SessionsService;
  readonly mail: MailQueue;
  readonly audit: AuditTrail;
  /** Base of the links in mails: from the configuration, never from a request. */
  readonly publicUrl: string;
}

/** Links by mail with which people set a password: forgotten ones, and the first one after an invitation. */
export class PasswordLinksService {
  constructor(private readonly deps: PasswordLinksServiceDeps) {}

  /** Sends a link if anybody active has the address. Says nothing either way, and takes the same way either way. */
  async requestReset(email: string): Promise<void> {
    const { db, mail, audit, publicUrl } = this.deps;
    const token = randomToken();
    const text = `Somebody asked to set a new password for your account.\n\nOpen this link within an hour to choose one:\n${publicUrl}/reset-password?token=${token}\n\nIf it was not you, there is nothing to do: the password stays as it is.\n`;
    await db.run(async () => {
      // one write for everybody, so that the commit costs the same for unknown addresses
      await db.query(`insert into sign_in_failures (key, failures, last_failure_at) values (?, 0, now()) on conflict (key) do update set last_failure_at = now()`, [`reset:${email.toLowerCase().slice(0, 300)}`]);
      const user = await this.putLink(`lower(u.email) = lower(?) and u.status = 'active' and o.status = 'active'`, email, 'reset', token, RESET_SECONDS);
      if (user === undefined) return;
      await mail.enqueue({ to: email, subject: 'Set a new password', text });
      await audit.record({ action: 'auth.request_password_reset', organizationId: user.organizationId, target: { type: 'user', id: user.id } });
    });
  }

  /** Invites a new user to choose a password; joins the transaction that makes the user. */
  async invite(userId: string, email: string): Promise<void> {
    const token = randomToken();
    const text = `You have an account on ${this.deps.publicUrl}.\n\nOpen this link within a week to choose your password:\n${this.deps.publicUrl}/reset-password?token=${token}&invitation=1\n`;
    await this.deps.db.run(async () => {
      await this.putLink('u.id = ?', userId, 'invitation', token, INVITATION_SECONDS);
      await this.deps.mail.enqueue({ to: email, subject: 'Your invitation', text });
    });
  }

  /** A new link replaces the older ones. Answers the user, undefined when there is none. */
  private async putLink(where: string, value: string, purpose: 'reset' | 'invitation', token: string, seconds: number): Promise<{ id: string; organizationId: string } | undefined> {
    const { db } = this.deps;
    const [user] = await db.query<{ id: string; email: string; organizationId: string }>(`select u.id, u.email, u.organization_id as "organizationId" from users u join organizations o on o.id = u.organization_id where ${where} for update of u`, [value]);
    if (user === undefined) return undefined;
    await db.query('delete from password_links where user_id = ? and used_at is null', [user.id]); // used ones prove that somebody reads the address
    await db.query(
      `insert into password_links (id, user_id, purpose, token_hash, email, created_at, expires_at) values (?, ?, ?, ?, ?, now(), now() + make_interval(secs => ?))`,
      [randomUUID(), user.id, purpose, digest(token), user.email, seconds],
    );
    return user;
  }

  /** Sets the password, once, and ends every session; throws InvalidPasswordLink for every cause alike. */
  async confirm(token: string, newPassword: string): Promise<void> {
    const { db, people, hasher, sessions, audit } = this.deps;
    assertUsablePassword('newPassword', newPassword);
    const [known] = await db.query('select from password_links where token_hash = ? and used_at is null and expires_at > now()', [digest(token)]);
    if (known === undefined) throw new InvalidPasswordLink(); // before the costly hash
    const hash = await hasher.hash(newPassword);
    await db.run(async () => {
      // the user first, as everybody does who also touches links: whoever comes second waits instead of deadlocking
      await db.query('select from users where id = (select user_id from password_links where token_hash = ?) for update', [digest(token)]);
      // the address must still be the one the link was sent to
      const [used] = await db.query<{ userId: string; username: string; organizationId: string }>(
        `update password_links l set used_at = now() from users u
         where l.token_hash = ? and l.used_at is null and l.expires_at > now() and u.id = l.user_id and u.status = 'active' and lower(u.email) = lower(l.email)
         returning l.user_id as "userId", u.username, u.organization_id as "organizationId"`,
        [digest(token)],
      );
      if (used === undefined) throw new InvalidPasswordLink();
      await people.setPasswordHash(used.userId, hash);
      await sessions.endAll(used.userId, 'password');
      const { userId, username: name, organizationId } = used;
      await audit.record({ action: 'auth.confirm_password_reset', organizationId, target: { type: 'user', id: userId }, actor: { kind: 'user', id: userId, name } });
    });
  }
}
