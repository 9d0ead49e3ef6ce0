import * as client from 'openid-client';
import { InvalidFields } from '@satellite/kit/core';
import type { Database } from '@satellite/kit/db';
import type { Usernames } from '../../../usernames.js';
import { snapshot, type AuditTrail } from '../../audit/index.js';
import { EmailNotVerified, InvalidLoginState, LinkRequired, ProviderRefused, SignInRefused } from '../auth.errors.js';
import type { AuthRepository, PersonRecord } from '../auth.repository.js';
import type { OrganizationProvisioner } from '../registration.service.js';
import type { ClientInfo, SessionsService, Tokens } from '../sessions.service.js';
import type { IdentitiesRepository } from './identities.repository.js';
import type { LoginStates } from './login-state.js';
import type { OidcProvider, ProviderIdentity } from './oidc-provider.js';

export interface OidcLoginDeps {
  readonly db: Database;
  readonly providers: readonly OidcProvider[];
  readonly states: LoginStates;
  readonly identities: IdentitiesRepository;
  readonly usernames: Usernames;
  readonly people: AuthRepository;
  readonly sessions: SessionsService;
  readonly organizations: OrganizationProvisioner;
  readonly audit: AuditTrail;
  readonly publicUrl: string;
}

export interface CompletedLogin extends Tokens {
  readonly person: PersonRecord;
}

/** Sign-in through identity providers. */
export class OidcLoginService {
  constructor(private readonly deps: OidcLoginDeps) {}

  providers(): { providerId: string; type: string }[] {
    return this.deps.providers.map(({ config }) => ({ providerId: config.providerId, type: config.type }));
  }

  /** The provider's address for the browser, and the state that must come back; without a name the first provider. */
  async begin(providerId: string | undefined): Promise<{ loginUrl: string; state: string }> {
    const provider = providerId === undefined ? this.deps.providers[0] : this.find(providerId);
    if (provider === undefined) throw new InvalidFields([{ field: 'provider', message: providerId === undefined ? 'no identity provider is configured' : 'is not a configured identity provider' }]);
    const codeVerifier = client.randomPKCECodeVerifier();
    const state = await this.deps.states.put({ codeVerifier, providerId: provider.config.providerId });
    return { loginUrl: await provider.authorizationUrl(state, codeVerifier, this.redirectUri), state };
  }

  private get redirectUri(): string {
    return `${this.deps.publicUrl}/api/auth/callback`;
  }

  private find(providerId: string): OidcProvider | undefined {
    return this.deps.providers.find(({ config }) => config.providerId === providerId);
  }

  /** Ends a login: `state` must be the one of the browser's cookie, and is used up whatever comes of it. */
  async complete(query: string, state: string, expected: string | undefined, from: ClientInfo): Promise<CompletedLogin> {
    if (expected === undefined || state !== expected) throw new InvalidLoginState();
    const known = await this.deps.states.take(state);
    const provider = known && this.find(known.providerId);
    if (!known || !provider) throw new InvalidLoginState();
    const identity = await provider.redeem(new URL(`${this.redirectUri}?${query}`), state, known.codeVerifier);
    const userId = await this.userOf(identity, provider.config.providerId);
    const person = await this.deps.people.findPerson(userId);
    if (!person?.active) throw new SignInRefused();
    return { ...(await this.deps.sessions.start(person, from, provider.config.providerId)), person };
  }

  /**
   * The user of an identity. A local account with the same address is linked only when the provider has verified the
   * address and somebody has shown to read its mail; otherwise whoever registered it first could wait inside.
   */
  private userOf(identity: ProviderIdentity, providerId: string): Promise<string> {
    return this.deps.db.run(async () => {
      const known = await this.deps.identities.findUser(identity);
      if (known !== undefined) return known;
      if (identity.email === undefined) throw new ProviderRefused('no e-mail address');
      if (!identity.emailVerified) throw new EmailNotVerified();
      const local = await this.deps.identities.findByEmail(identity.email);
      if (local && !local.proven) throw new LinkRequired();
      const userId = local?.userId ?? (await this.provision(identity, identity.email));
      await this.deps.identities.link(userId, providerId, identity);
      if (local) await this.recordLink(local, providerId);
      return userId;
    });
  }

  private recordLink({ userId, organizationId }: { userId: string; organizationId: string }, providerId: string): Promise<void> {
    return this.deps.audit.record({ action: 'auth.provider_account', organizationId, target: { type: 'user', id: userId }, after: snapshot('user', { providerId }), actor: { kind: 'user', id: userId } });
  }

  private async provision(identity: ProviderIdentity, email: string): Promise<string> {
    const { firstName = email.split('@')[0] ?? 'New', lastName = '' } = identity;
    const username = await this.deps.usernames.like(identity.username ?? email.split('@')[0] ?? '');
    const { userId } = await this.deps.organizations.provision({
      name: `${firstName} ${lastName}`.trim().slice(0, 200),
      type: 'individual',
      plan: 'HOBBY',
      action: 'auth.provider_account',
      owner: { email, username, firstName: firstName.slice(0, 100), lastName: lastName.slice(0, 100) || '-', passwordHash: null },
    });
    return userId;
  }
}
