import { randomBytes } from 'node:crypto';
import type { Database } from '@satellite/kit/db';
import type { Logger } from '@satellite/kit/telemetry';
import type { Feeds } from '../../feeds.js';
import { AppNotFound } from '../apps/index.js';
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
    const clientSecret = randomToken();
    await this.changing(actor, clientId, 'created', async () => {
      await this.deps.clients.lock(slug);
      if ((await this.deps.clients.list(slug)).length >= MAX_CLIENTS) throw new TooManyClients(MAX_CLIENTS);
      await this.deps.clients.add(slug, clientId, digest(clientSecret));
      return true;
    });
    return { clientId, clientSecret };
  }

  /** A new secret; the last one stays good until the next rotation, so that services can change over. Throws AppNotFound or ClientNotFound. */
  async rotate(actor: UserActor, appId: string, clientId: string): Promise<ClientSecret> {
    const slug = await this.slugOf(appId);
    const clientSecret = randomToken();
    await this.changing(actor, clientId, 'rotated', () => this.deps.clients.rotate(slug, clientId, digest(clientSecret)));
    return { clientId, clientSecret };
  }

  /** Ends a rotation: only the newest secret stays good. Throws AppNotFound or ClientNotFound. */
  async endPrevious(actor: UserActor, appId: string, clientId: string): Promise<void> {
    const slug = await this.slugOf(appId);
    await this.changing(actor, clientId, 'previous secret ended', () => this.deps.clients.endPrevious(slug, clientId));
  }

  /** Ends the client and its running tokens. Throws AppNotFound or ClientNotFound. */
  async revoke(actor: UserActor, appId: string, clientId: string): Promise<void> {
    const slug = await this.slugOf(appId);
    await this.changing(actor, clientId, 'revoked', () => this.deps.clients.revoke(slug, clientId));
  }

  private async changing(actor: UserActor, clientId: string, change: string, work: () => Promise<boolean>): Promise<void> {
    const { db, feeds, logger } = this.deps;
    await db.run(async () => {
      if (!(await work())) throw new ClientNotFound(clientId);
      feeds.hint('clients');
    });
    logger.info({ event: 'service_client_changed', clientId, change, by: actor.userId }, 'a service client changed');
  }

  private async slugOf(appId: string): Promise<string> {
    const slug = await this.deps.clients.slugOf(appId);
    if (slug === undefined) throw new AppNotFound(appId);
    return slug;
  }
}
