import type { RequestHandler } from 'express';
import type { Background, ControllerEntry } from '../../parts.js';
import type { AuditedParts } from '../audit/index.js';
import type { buildAuth } from '../auth/index.js';
import { AppClientsController } from './app-clients.controller.js';
import { AppClientsRepository } from './app-clients.repository.js';
import { AppClientsService } from './app-clients.service.js';
import { AppReach, type AppsOfOrganizations } from './app-reach.js';
import { AuthorizationService, type Quotas } from './authorization.service.js';
import { GatewayCallers } from './callers.js';
import { DecisionMetrics } from './decision-metrics.js';
import { ExchangeForServiceController } from './exchange-for-service.controller.js';
import { GatewayClients } from './gateway-clients.js';
import { GatewayClientsRepository } from './gateway-clients.repository.js';
import { PolicyEngine } from './policy-engine.js';
import { PolicyRepository } from './policy.repository.js';
import { rbacJson } from './rbac.http.js';
import { RbacService } from './rbac.service.js';
import { RevocationList } from './revocation-list.js';
import { RevocationsController } from './revocations.controller.js';
import { ServiceExchange } from './service-exchange.js';

/** What the gateway needs of other modules. */
export interface GatewayNeeds {
  readonly apps: AppsOfOrganizations;
  readonly auth: Pick<ReturnType<typeof buildAuth>, 'tokens' | 'revocations' | 'exchange' | 'idpExchange'>;
  readonly quotas: Quotas;
}

/** The way for services: policy decisions, tokens for other apps and revocations. */
export interface Gateway {
  readonly rbac: RbacService;
  readonly authorizations: AuthorizationService;
  readonly callers: GatewayCallers;
  readonly exchanges: ServiceExchange;
  /** Goes before Connect: the hot methods for plain JSON. */
  readonly hotPath: RequestHandler;
  readonly controllers: readonly ControllerEntry[];
  readonly background: readonly Background[];
}

export function buildGateway({ db, feeds, metrics, logger, audit, repeatable }: AuditedParts, { apps, auth, quotas }: GatewayNeeds): Gateway {
  const revocations = new RevocationList(auth.revocations, feeds);
  const clients = new GatewayClients(new GatewayClientsRepository(db), feeds);
  const callers = new GatewayCallers({ tokens: auth.tokens, clients, revocations, feeds });
  const reach = new AppReach(apps);
  const rbac = new RbacService({ engine: new PolicyEngine(new PolicyRepository(db), feeds), reach, metrics: new DecisionMetrics(metrics), logger });
  const exchanges = new ServiceExchange({ idp: auth.idpExchange, exchange: auth.exchange, tokens: auth.tokens, revocations, reach });
  const appClients = new AppClientsService({ db, clients: new AppClientsRepository(db), feeds, logger, audit });
  const controllers: ControllerEntry[] = [
    [ExchangeForServiceController, () => new ExchangeForServiceController(exchanges)],
    [RevocationsController, () => new RevocationsController(revocations)],
    [AppClientsController, () => new AppClientsController(appClients, repeatable)],
  ];
  return { rbac, authorizations: new AuthorizationService(rbac, quotas), callers, exchanges, hotPath: rbacJson(rbac, callers, logger), controllers, background: [feeds, revocations] };
}
