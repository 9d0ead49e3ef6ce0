import type { FeedFollower, FeedHeads, Feeds } from '../../feeds.js';
import type { ClientRow, GatewayClientsRepository } from './gateway-clients.repository.js';
import { isBelow } from './permission-question.js';

/** A service that may call the gateway. */
export interface GatewayClient {
  readonly clientId: string;
  readonly permissions: ReadonlySet<string>;
  /** Slug of the app that it belongs to; null for services of the platform. */
  readonly appSlug: string | null;
  /** True for permission codes that its app may know of. */
  owns(permission: string): boolean;
  /** True for limits that its app may count. */
  counts(limitKey: string): boolean;
}

/** All active service clients, in memory; whoever is disabled is out with the next look at the feeds. */
export class GatewayClients implements FeedFollower {
  private clients: ReadonlyMap<string, GatewayClient> = new Map();
  private seen = { clients: -1, registry: -1 };

  constructor(
    private readonly repository: GatewayClientsRepository,
    feeds: Feeds,
  ) {
    feeds.follow(this);
  }

  async catchUp({ clients, registry }: FeedHeads): Promise<void> {
    if (clients === this.seen.clients && registry === this.seen.registry) return;
    const rows = await this.repository.active();
    this.clients = new Map(rows.map((row) => [row.clientId, clientOf(row)]));
    this.seen = { clients, registry };
  }

  find(clientId: string): GatewayClient | undefined {
    return this.clients.get(clientId);
  }
}

function clientOf({ clientId, permissions, appSlug, codes, limitKeys }: ClientRow): GatewayClient {
  const declared = new Set(codes);
  const limits = new Set(limitKeys);
  return {
    clientId,
    permissions: new Set(permissions),
    appSlug,
    owns: (permission) => appSlug === null || isBelow(appSlug, permission) || declared.has(permission),
    counts: (limitKey) => appSlug === null || isBelow(appSlug, limitKey) || limits.has(limitKey),
  };
}
