import { AppNotEnabled, GATEWAY_AUDIENCE, InvalidTarget, InvalidToken, subjectOf, type ClientInfo, type ExchangedToken, type ExchangeService, type IdpExchangeService, type TokenService } from '../auth/index.js';
import type { AppReach } from './app-reach.js';
import type { Caller } from './callers.js';
import { ExchangeRefused, InvalidExchange } from './gateway.errors.js';
import type { RevocationList } from './revocation-list.js';

/** Exactly one of the two tokens. */
export interface ServiceExchangeRequest {
  readonly idpToken?: string | undefined;
  readonly subjectToken?: string | undefined;
  /** Slug or id of the app that the new token is for. */
  readonly serviceId: string;
}

export interface ServiceExchangeDeps {
  readonly idp: IdpExchangeService;
  readonly exchange: ExchangeService;
  readonly tokens: TokenService;
  readonly revocations: RevocationList;
  readonly reach: AppReach;
}

const MAX_TOKEN = 16_384;
const MAX_SERVICE = 64;

/** Tokens of one person for one app, asked for by services and by people: what REST and Connect both call. */
export class ServiceExchange {
  constructor(private readonly deps: ServiceExchangeDeps) {}

  /** Throws InvalidExchange, ExchangeRefused, InvalidTarget, AppNotEnabled or InvalidToken. */
  async exchange({ idpToken, subjectToken, serviceId }: ServiceExchangeRequest, caller: Caller, client: ClientInfo): Promise<ExchangedToken> {
    if (serviceId === '' || serviceId.length > MAX_SERVICE) throw new InvalidExchange('service_id must be the slug or the id of an app.');
    if ((idpToken === undefined) === (subjectToken === undefined)) throw new InvalidExchange('Send either idp_token or subject_token.');
    if ((idpToken ?? subjectToken ?? '').length > MAX_TOKEN) throw new InvalidToken();
    if (subjectToken !== undefined) return this.forSubject(subjectToken, serviceId, caller);
    return this.deps.idp.exchange(idpToken ?? '', serviceId, caller.kind === 'person' ? caller.userId : undefined, client, actorOf(caller));
  }

  /** The token shows that the person uses the client's app at this moment, so the app may act for them elsewhere. */
  private async forSubject(token: string, serviceId: string, caller: Caller): Promise<ExchangedToken> {
    const { tokens, revocations, reach, exchange } = this.deps;
    const appSlug = caller.kind === 'service' ? caller.client.appSlug : null;
    if (appSlug === null) throw new ExchangeRefused('Only service clients of an app may exchange tokens of people for their app.');
    if (serviceId === GATEWAY_AUDIENCE) throw new InvalidTarget(serviceId); // an app would learn what people may do elsewhere
    const claims = await tokens.verifyForApp(token, appSlug);
    if (revocations.isRevoked(claims)) throw new InvalidToken();
    const subject = subjectOf(claims);
    if (!(await reach.isEnabledNow(appSlug, subject.organizationId))) throw new AppNotEnabled(appSlug);
    return exchange.exchange(subject, serviceId, actorOf(caller));
  }
}

function actorOf(caller: Caller): string | undefined {
  return caller.kind === 'service' ? `client:${caller.client.clientId}` : undefined;
}
