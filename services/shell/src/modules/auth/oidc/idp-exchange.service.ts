import { decodeJwt } from 'jose';
import { InvalidToken } from '../auth.errors.js';
import type { AuthRepository } from '../auth.repository.js';
import { subjectOf, type ExchangedToken, type ExchangeService } from '../exchange.service.js';
import type { ClientInfo, SessionsService } from '../sessions.service.js';
import { ACCESS_TOKEN_SECONDS, type TokenService } from '../token.service.js';
import type { IdentitiesRepository } from './identities.repository.js';
import type { OidcProvider } from './oidc-provider.js';

/** `service` of an answer whose token is for the Shell itself. */
export const SHELL_SERVICE = 'shell';

export interface IdpExchangeDeps {
  readonly providers: readonly OidcProvider[];
  readonly identities: IdentitiesRepository;
  readonly people: AuthRepository;
  readonly sessions: SessionsService;
  readonly tokens: TokenService;
  readonly exchange: ExchangeService;
}

/** Tokens of the platform for tokens of identity providers. */
export class IdpExchangeService {
  constructor(private readonly deps: IdpExchangeDeps) {}

  /**
   * Verifies a provider's token by its key set and answers a token for `serviceId`, or for the Shell. It ends no later
   * than the provider's. With `bearerUserId` both must be the same person; `actor` is who acts for them. Throws
   * InvalidToken for every cause alike.
   */
  async exchange(idpToken: string, serviceId: string | undefined, bearerUserId: string | undefined, client: ClientInfo, actor?: string): Promise<ExchangedToken> {
    const provider = await this.providerOf(idpToken);
    const { identity, claims } = await provider.verify(idpToken);
    const userId = await this.deps.identities.findUser(identity);
    const person = userId === undefined ? undefined : await this.deps.people.findPerson(userId);
    if (!person?.active || (bearerUserId !== undefined && bearerUserId !== person.id)) throw new InvalidToken();
    const lifetime = Math.min(ACCESS_TOKEN_SECONDS, Math.floor((claims.exp ?? 0) - Date.now() / 1000));
    if (lifetime < 1) throw new InvalidToken();
    const issued = await this.deps.sessions.startBrief(person, client, provider.config.providerId, lifetime);
    if (serviceId === undefined) return { ...issued, service: SHELL_SERVICE };
    return this.deps.exchange.exchange(subjectOf(await this.deps.tokens.verifyUser(issued.accessToken)), serviceId, actor);
  }

  /** The provider by the unverified issuer; its key set decides whether that is true. */
  private async providerOf(token: string): Promise<OidcProvider> {
    const issuer = issuerOf(token)?.replace(/\/$/, '');
    const provider = this.deps.providers.find(({ config }) => config.url.replace(/\/$/, '') === issuer);
    if (provider === undefined) throw new InvalidToken();
    return provider;
  }
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
