import { randomBytes } from 'node:crypto';
import { kept, type Database } from '@satellite/kit/db';
import type { Logger } from '@satellite/kit/telemetry';
import type { Feeds } from '../../feeds.js';
import { AppNotFound } from '../apps/index.js';
import { snapshot, type AuditAction, type AuditTrail, type Snapshot } from '../audit/index.js';
import { digest, randomToken, type UserActor } from '../auth/index.js';
import type { AppClient, AppClientsRepository } from './app-clients.repository.js';
import { ClientNotFound, TooManyClients } from './gateway.errors.js';

export interface ClientSecret {
  readonly clientId: string;
  /** Nobody can read it again: only its digest is stored. */
  readonly clientSecret: string;
}

export interface AppClientsServiceDeps {
  readonly db: Database;
  readonly clients: AppClientsRepository;
  readonly feeds: Feeds;
  readonly logger: Logger;
  readonly audit: AuditTrail;
}

interface ClientChange {
  readonly slug: string;
  readonly clientId: string;
  readonly action: AuditAction;
  /** A new secret; it is shown once. */
  readonly made?: ClientSecret;
}

const MAX_CLIENTS = 20;

/** Credentials with which the services of an app call the gateway. */
export class AppClientsService {
  constructor(private readonly deps: AppClientsServiceDeps) {}

  /** Throws AppNotFound. */
  async list(appId: string): Promise<AppClient[]> {
    return this.deps.clients.list(await this.slugOf(appId));
  }

  /** Throws AppNotFound or TooManyClients. */
  async create(actor: UserActor, appId: string): Promise<ClientSecret> {
    const slug = await this.slugOf(appId);
    const clientId = `${slug}-${randomBytes(6).toString('hex')}`;
    const made: ClientSecret = { clientId, clientSecret: randomToken() };
    await this.changing(actor, { slug, clientId, action: 'service_clients.create', made }, async () => {
      await this.deps.clients.lock(slug);
      if ((await this.deps.clients.list(slug)).length >= MAX_CLIENTS) throw new TooManyClients(MAX_CLIENTS);
      await this.deps.clients.add(slug, clientId, digest(made.clientSecret));
      return true;
    });
    return made;
  }

  /** A new secret; the last one stays good until the next rotation, so that services can change over. Throws AppNotFound or ClientNotFound. */
  async rotate(actor: UserActor, appId: string, clientId: string): Promise<ClientSecret> {
    const slug = await this.slugOf(appId);
    const made: ClientSecret = { clientId, clientSecret: randomToken() };
    await this.changing(actor, { slug, clientId, action: 'service_clients.rotate', made }, () => this.deps.clients.rotate(slug, clientId, digest(made.clientSecret)));
    return made;
  }

  /** Ends a rotation: only the newest secret stays good. Throws AppNotFound or ClientNotFound. */
  async endPrevious(actor: UserActor, appId: string, clientId: string): Promise<void> {
    const slug = await this.slugOf(appId);
    await this.changing(actor, { slug, clientId, action: 'service_clients.end_previous_secret' }, () => this.deps.clients.endPrevious(slug, clientId));
  }

  /** Ends the client and its running tokens. Throws AppNotFound or ClientNotFound. */
  async revoke(actor: UserActor, appId: string, clientId: string): Promise<void> {
    const slug = await this.slugOf(appId);
    await this.changing(actor, { slug, clientId, action: 'service_clients.revoke' }, () => this.deps.clients.revoke(slug, clientId));
  }

  private async changing(actor: UserActor, { slug, clientId, action, made }: ClientChange, work: () => Promise<boolean>): Promise<void> {
    const { db, feeds, logger, audit } = this.deps;
    await db.run(async () => {
      const before = await this.recordable(slug, clientId);
      if (!(await work())) throw new ClientNotFound(clientId);
      feeds.hint('clients');
      await audit.record({ action, organizationId: null, target: { type: 'service_client', id: clientId }, before, after: await this.recordable(slug, clientId) });
      if (made) await kept(made);
    });
    logger.info({ event: 'service_client_changed', clientId, change: action, by: actor.userId }, 'a service client changed');
  }

  private async recordable(slug: string, clientId: string): Promise<Snapshot | undefined> {
    const client = (await this.deps.clients.list(slug)).find((found) => found.clientId === clientId);
    return client && snapshot('service_client', { appSlug: slug, secretsInUse: client.hasPreviousSecret ? 2 : 1 });
  }

  private async slugOf(appId: string): Promise<string> {
    const slug = await this.deps.clients.slugOf(appId);
    if (slug === undefined) throw new AppNotFound(appId);
    return slug;
  }
}
