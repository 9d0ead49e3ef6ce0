import type { JWTPayload } from 'jose';
import type { Feeds } from '../../feeds.js';
import { bearerOf, InvalidToken, SignInRequired, subjectOf } from '../auth/index.js';
import type { GatewayClient, GatewayClients } from './gateway-clients.js';
import type { RevocationList } from './revocation-list.js';

/** Who calls the gateway: a service, or a person with a token exchanged for it. */
export type Caller =
  | { readonly kind: 'service'; readonly client: GatewayClient }
  | { readonly kind: 'person'; readonly userId: string; readonly organizationId: string };

/** Verifies tokens of the gateway, each signature once; throws InvalidToken. */
export interface GatewayTokens {
  verifyForGateway(token: string): Promise<JWTPayload>;
}

export interface GatewayCallersDeps {
  readonly tokens: GatewayTokens;
  readonly clients: GatewayClients;
  readonly revocations: RevocationList;
  readonly feeds: Feeds;
}

/** Recognizes callers without a statement of SQL: signatures once a token, everything else from memory that follows the feeds. */
export class GatewayCallers {
  constructor(private readonly deps: GatewayCallersDeps) {}

  /** By the Authorization header; throws SignInRequired, InvalidToken or CopiesTooOld. */
  async callerOf(authorization: string | undefined): Promise<Caller> {
    const token = bearerOf(authorization);
    if (token === undefined) throw new SignInRequired();
    const { tokens, feeds, clients, revocations } = this.deps;
    const claims = await tokens.verifyForGateway(token);
    if (!feeds.isFresh()) await feeds.fresh();
    const clientId = claims['client_id'];
    if (clientId !== undefined) {
      const client = typeof clientId === 'string' ? clients.find(clientId) : undefined;
      if (client === undefined) throw new InvalidToken();
      return { kind: 'service', client };
    }
    if (revocations.isRevoked(claims)) throw new InvalidToken();
    const { userId, organizationId } = subjectOf(claims);
    return { kind: 'person', userId, organizationId };
  }
}
