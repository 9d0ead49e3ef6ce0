import { hasUnstorableText, InvalidFields, jsonDepth } from '@satellite/kit/core';
import type { Database } from '@satellite/kit/db';
import type { UserActor } from '../../actor.js';
import { snapshot, type AuditTrail } from '../audit/index.js';
import { InvalidToken } from './auth.errors.js';
import type { AccountRepository, ProfileRecord } from './account.repository.js';
import type { AuthRepository } from './auth.repository.js';
import type { PasswordHasher } from './password-hasher.js';
import { assertUsablePassword } from './passwords.js';
import type { SessionsService } from './sessions.service.js';
import { passwordChangeOf, type SignInGuard } from './sign-in-guard.js';

const MAX_PREFERENCES_BYTES = 16_384;
const MAX_PREFERENCES_DEPTH = 8;

export interface AccountServiceDeps {
  readonly db: Database;
  readonly accounts: AccountRepository;
  readonly people: AuthRepository;
  readonly hasher: PasswordHasher;
  readonly sessions: SessionsService;
  readonly guard: SignInGuard;
  readonly audit: AuditTrail;
}

/** What people do with their own account. */
export class AccountService {
  constructor(private readonly deps: AccountServiceDeps) {}

  async profile(actor: UserActor): Promise<ProfileRecord> {
    const profile = await this.deps.accounts.profile(actor.userId);
    if (!profile) throw new InvalidToken();
    return profile;
  }

  /** Sets the given keys, null removes one; keys that are absent stay, so that two clients do not undo each other. */
  async setPreferences(actor: UserActor, changes: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    if (jsonDepth(changes, MAX_PREFERENCES_DEPTH) > MAX_PREFERENCES_DEPTH) throw new InvalidFields([{ field: 'preferences', message: `must not be nested deeper than ${MAX_PREFERENCES_DEPTH}` }]);
    if (hasUnstorableText(changes)) throw new InvalidFields([{ field: 'preferences', message: 'must not contain NUL characters or halves of characters' }]);
    return this.deps.db.run(async () => {
      const current = await this.deps.accounts.lockPreferences(actor.userId);
      const merged = Object.fromEntries(Object.entries({ ...current, ...changes }).filter(([, value]) => value !== null));
      if (Buffer.byteLength(JSON.stringify(merged)) > MAX_PREFERENCES_BYTES) throw new InvalidFields([{ field: 'preferences', message: `must be at most ${MAX_PREFERENCES_BYTES} bytes of JSON in all` }]);
      await this.deps.accounts.setPreferences(actor.userId, merged);
      await this.deps.audit.record({ action: 'auth.set_preferences', organizationId: actor.organizationId, target: { type: 'user', id: actor.userId }, before: snapshot('user', { preferences: current }), after: snapshot('user', { preferences: merged }) });
      return merged;
    });
  }

  /** Ends every session of the person, this one too: whoever knew the old password is out. Throws SignInLocked after too many guesses. */
  async changePassword(actor: UserActor, currentPassword: string, newPassword: string): Promise<void> {
    const { db, people, hasher, sessions, guard, audit } = this.deps;
    const wrong = (): InvalidFields => new InvalidFields([{ field: 'currentPassword', message: 'is wrong' }]);
    assertUsablePassword('newPassword', newPassword);
    const guesses = passwordChangeOf(actor.userId);
    await guard.attempt(guesses);
    const verified = (await people.findPerson(actor.userId))?.passwordHash ?? null;
    if (!(await hasher.verify(currentPassword, verified)) || verified === null) throw wrong();
    await guard.succeeded(guesses);
    if (currentPassword === newPassword) throw new InvalidFields([{ field: 'newPassword', message: 'must differ from the current one' }]);
    const hash = await hasher.hash(newPassword);
    await db.run(async () => {
      if (!(await people.replacePasswordHash(actor.userId, verified, hash))) throw wrong(); // a reset by mail was faster, and wins
      await sessions.endAll(actor.userId, 'password');
      await audit.record({ action: 'auth.change_password', organizationId: actor.organizationId, target: { type: 'user', id: actor.userId } });
    });
  }
}
