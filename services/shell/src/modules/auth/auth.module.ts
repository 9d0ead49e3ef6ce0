import { availableParallelism } from 'node:os';
import { folderMailer, smtpMailer } from '@satellite/kit/mail';
import type { Background, ControllerEntry, Parts } from '../../parts.js';
import type { AuditedParts } from '../audit/index.js';
import { Usernames } from '../../usernames.js';
import { AccountController } from './account.controller.js';
import { AccountRepository } from './account.repository.js';
import { AccountService } from './account.service.js';
import { AuthController, KeySetController } from './auth.controller.js';
import { AuthRepository } from './auth.repository.js';
import { AuthService } from './auth.service.js';
import { makeAuthorize } from './authorize.js';
import { ExchangeController } from './exchange.controller.js';
import { ExchangeService, type AppTargets } from './exchange.service.js';
import { AUTH_SWEEPS } from './housekeeping.js';
import { KeyVault } from './key-vault.js';
import { MailQueue } from './mail-queue.js';
import { IdpExchangeService, type IdpExchangeDeps } from './oidc/idp-exchange.service.js';
import { IdentitiesRepository } from './oidc/identities.repository.js';
import { LoginStates } from './oidc/login-state.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OidcLoginService, type OidcLoginDeps } from './oidc/oidc-login.service.js';
import { OidcProvider } from './oidc/oidc-provider.js';
import { PasswordHasher } from './password-hasher.js';
import { PasswordLinksService } from './password-links.service.js';
import { RegistrationController } from './registration.controller.js';
import { RegistrationService, type OrganizationProvisioner } from './registration.service.js';
import { Revocations } from './revocations.js';
import { ServiceClientsRepository } from './service-clients.repository.js';
import { SessionController } from './session.controller.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';
import { SignInGuard } from './sign-in-guard.js';
import { SigningKeysRepository } from './signing-keys.repository.js';
import { DEFAULT_SCHEDULE, SigningKeysService } from './signing-keys.service.js';
import { TokenService } from './token.service.js';

/** What identity needs of other modules. */
export interface AuthNeeds {
  readonly apps: AppTargets;
  readonly organizations: OrganizationProvisioner;
}

/** Sign-in, sessions, tokens and keys of one Shell. */
export function buildAuth(parts: AuditedParts, needs: AuthNeeds) {
  const { db, feeds, logger, config, audit } = parts;
  const people = new AuthRepository(db);
  const hasher = new PasswordHasher({ cost: config.passwords.cost, concurrency: hashingThreads(), queue: 64 });
  const clients = new ServiceClientsRepository(db);
  const revocations = new Revocations(db, feeds);
  const keys = new SigningKeysService(new SigningKeysRepository(db), new KeyVault(config.tokens.keyEncryptionKey), { rotation: config.tokens.rotationSeconds, ...DEFAULT_SCHEDULE }, logger);
  const tokens = new TokenService(keys, config.tokens);
  const sessions = new SessionsService({ db, people, sessions: new SessionsRepository(db), revocations, tokens, logger, audit });
  const guard = new SignInGuard(db);
  const auth = new AuthService({ db, repository: people, clients, hasher, tokens, sessions, guard });
  const mail = buildMail(parts);
  const links = new PasswordLinksService({ db, people, hasher, sessions, mail, audit, publicUrl: config.http.publicUrl });
  const exchange = new ExchangeService(tokens, people, needs.apps);
  const oidc = buildOidc(parts, { ...needs, people, sessions, tokens, exchange });
  const accounts = new AccountService({ db, accounts: new AccountRepository(db), people, hasher, sessions, guard, audit });
  const registrations = new RegistrationService(needs.organizations, people, hasher, sessions);
  const controllers: ControllerEntry[] = [
    [AuthController, () => new AuthController(auth)],
    [KeySetController, () => new KeySetController(keys)],
    [SessionController, () => new SessionController(sessions, config.http.publicUrl)],
    [AccountController, () => new AccountController(accounts, links)],
    [ExchangeController, () => new ExchangeController(exchange)],
    [OidcController, () => new OidcController(oidc.logins, oidc.exchanges, config.http.publicUrl)],
    [RegistrationController, () => new RegistrationController(registrations)],
  ];
  const background: Background[] = [keys, mail];
  return { auth, authorize: makeAuthorize(auth), keys, tokens, sessions, revocations, hasher, mail, clients, links, exchange, idpExchange: oidc.exchanges, people, controllers, background, sweeps: AUTH_SWEEPS };
}

/** One core stays free for everything else, so that a flood of sign-ins does not slow down those who are in. */
function hashingThreads(): number {
  return Math.max(1, availableParallelism() - 1);
}

function buildOidc({ db, redis, config, audit }: AuditedParts, deps: Pick<OidcLoginDeps, 'people' | 'sessions' | 'organizations'> & Pick<IdpExchangeDeps, 'tokens' | 'exchange'>) {
  const providers = config.identityProviders.map((provider) => new OidcProvider(provider));
  const identities = new IdentitiesRepository(db);
  return {
    logins: new OidcLoginService({ ...deps, db, audit, providers, identities, usernames: new Usernames(db), states: new LoginStates(redis), publicUrl: config.http.publicUrl }),
    exchanges: new IdpExchangeService({ ...deps, providers, identities }),
  };
}

function buildMail({ db, config, metrics, logger }: Parts): MailQueue {
  const { smtpUrl, from, outbox } = config.mail;
  return new MailQueue(db, smtpUrl === undefined ? folderMailer(outbox, from) : smtpMailer(smtpUrl, from), { metrics, logger });
}
