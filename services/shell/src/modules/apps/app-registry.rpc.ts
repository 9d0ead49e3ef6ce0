import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { create, type JsonObject } from '@bufbuild/protobuf';
import { InvalidFields, isAppError, type AppError } from '@satellite/kit/core';
import type { OnRefusal } from '@satellite/kit/rpc';
import { AppEntrySchema, ApplyAppRequestSchema, Change, type ApiSurface, type App, type AppRegistry, type AppReport, type AppSource, type ApplyAppRequest, type ReportAppRequest, type NavigationItem as Item, type UiCanary as Canary } from '@satellite/proto/registry/v1';
import type { ServiceActor } from '../../actor.js';
import type { Authorize } from '../auth/index.js';
import type { NavigationItem } from './app.entity.js';
import type { Difference } from './registry-entry.js';
import { desiredOf } from './registry-entry.js';
import type { AppReportsService } from './app-reports.service.js';
import type { ListedEntry, OperatorRegistryService, RegistryChange } from './operator-registry.service.js';
import type { GivenSource } from './ownership.js';
import { sourceOf } from './app-source.js';

const CHANGES: Record<RegistryChange, Change> = {
  created: Change.CREATED,
  updated: Change.UPDATED,
  unchanged: Change.UNCHANGED,
  removed: Change.REMOVED,
  orphaned: Change.ORPHANED,
};

/** As the protocol says. */
const MOST_CALLS = 64;

/** What the operator can do here. */
export interface OperatorServices {
  readonly registry: OperatorRegistryService;
  readonly reports: AppReportsService;
}

type Calls = ServiceImpl<typeof AppRegistry>;
/** Lets a call go on when its caller may do that, and answers who that is. */
type Allow = (context: HandlerContext, permission: string) => Promise<ServiceActor>;
/** Notes a refusal inside a call. */
type Refusals = (context: HandlerContext) => (error: AppError) => void;

/** registry.v1.AppRegistry over Connect: translates messages, decides nothing. */
export function appRegistryRpc({ registry, reports }: OperatorServices, authorize: Authorize, onRefusal: OnRefusal): Calls {
  const allow: Allow = (context, permission) => authorize(context.requestHeader, permission);
  const refusals: Refusals = ({ service, method }) => (error) => onRefusal(`${service.typeName}/${method.name}`, error);
  return { ...entryCalls(registry, allow, refusals), ...reportCalls(reports, allow, refusals) };
}

function entryCalls(registry: OperatorRegistryService, allow: Allow, refusals: Refusals): Pick<Calls, 'applyApp' | 'applyApps' | 'rollOutApp' | 'planApp' | 'removeApp' | 'listApps'> {
  const apply = async ({ app, source, force }: ApplyAppRequest, speaker: ServiceActor) => {
    const applied = await registry.apply(desiredFrom(app), sourceFrom(source, speaker), force);
    return { id: applied.id, change: CHANGES[applied.change], revision: BigInt(applied.revision), cachedRevision: BigInt(applied.cachedRevision), differences: applied.differences.map(presentDifference), drifted: applied.drifted, reportDigest: applied.reportDigest };
  };
  return {
    applyApp: async (request, context) => apply(request, await allow(context, 'registry:write')),
    async applyApps({ calls }, context) {
      const speaker = await allow(context, 'registry:write');
      return { answers: await eachOf(calls, async (call) => ({ applied: await apply(call, speaker) }), refusals(context)) };
    },
    async rollOutApp(request, context) {
      return { applied: await apply(request.apply ?? create(ApplyAppRequestSchema), await allow(context, 'registry:write')) };
    },
    async planApp({ app, source, force }, context) {
      const speaker = await allow(context, 'registry:read');
      const plan = await registry.plan(desiredFrom(app), sourceFrom(source, speaker), force);
      return { change: CHANGES[plan.change], differences: plan.differences.map(presentDifference), reportDigest: plan.reportDigest, rollsOut: true };
    },
    async removeApp({ slug, source, orphan, ifRevision }, context) {
      const speaker = await allow(context, 'registry:write');
      const removed = await registry.remove(slug, sourceFrom(source, speaker), orphan, ifRevision === 0n ? undefined : Number(ifRevision));
      return { change: CHANGES[removed.change], revision: BigInt(removed.revision), cachedRevision: BigInt(removed.cachedRevision) };
    },
    async listApps({ slug, managedBy, installation, pageSize, pageToken }, context) {
      await allow(context, 'registry:read');
      const { entries, nextAfter } = await registry.list({ ...(slug !== '' && { slug }), ...(managedBy !== '' && { managedBy }), ...(installation !== '' && { installation }), after: pageToken, limit: pageSize });
      return { apps: entries.map(presentEntry), nextPageToken: nextAfter };
    },
  };
}

function reportCalls(reports: AppReportsService, allow: Allow, refusals: Refusals): Pick<Calls, 'reportApp' | 'reportApps' | 'getApiBaseline'> {
  const report = async ({ slug, source, report: found, api }: ReportAppRequest, speaker: ServiceActor) => {
    const { written, revision, cachedRevision } = await reports.report(slug, sourceFrom(source, speaker), reportFrom(found), api && surfaceFrom(api));
    return { written, revision: BigInt(revision), cachedRevision: BigInt(cachedRevision) };
  };
  return {
    reportApp: async (request, context) => report(request, await allow(context, 'registry:write')),
    async reportApps({ calls }, context) {
      const speaker = await allow(context, 'registry:write');
      return { answers: await eachOf(calls, async (call) => ({ reported: await report(call, speaker) }), refusals(context)) };
    },
    async getApiBaseline({ slug, source }, context) {
      const speaker = await allow(context, 'registry:read');
      const kept = await reports.baseline(slug, sourceFrom(source, speaker));
      return { api: kept ? { ...kept, version: kept.version ?? '', content: new Uint8Array(kept.content) } : {} };
    },
  };
}

/**
 * An answer for each call; an empty one where it was refused, which is noted as any refusal is, or failed unexpectedly:
 * who makes it alone is told why. That nobody can be served now is the answer to all of them.
 */
function eachOf<Call, Answer extends object>(calls: readonly Call[], make: (call: Call) => Promise<Answer>, refused: (error: AppError) => void): Promise<(Answer | object)[]> {
  if (calls.length > MOST_CALLS) throw new InvalidFields([{ field: 'calls', message: `must be at most ${MOST_CALLS}` }]);
  return Promise.all(calls.map((call) => make(call).catch((error: unknown) => {
    if (!isAppError(error)) return {};
    if (error.kind === 'unavailable' || error.kind === 'failed') throw error;
    refused(error);
    return {};
  })));
}

/** Proto has no absent strings: empty means absent, and the rules say which fields may be. */
function desiredFrom(app: App | undefined): Record<string, unknown> {
  if (app === undefined) return {};
  const { slug, name, type, apiUrl, uiUrl, icon, description, category, version } = app;
  return {
    slug, name, type, apiUrl, uiUrl, icon, description, category, version,
    ...(app.status !== '' && { status: app.status }),
    metadata: app.metadata ?? {},
    permissions: app.permissions.map((permission) => ({ code: permission.code, description: permission.description })),
    limitKeys: app.limitKeys.map((limit) => ({ key: limit.key, description: limit.description })),
    navigation: app.navigation.map(navigationItemFrom),
    organizations: { all: app.organizations?.all ?? true, slugs: app.organizations?.slugs ?? [] },
    organizationPercent: app.organizationPercent === 0 ? 100 : app.organizationPercent,
    uiCanary: app.uiCanary ? canaryFrom(app.uiCanary) : null,
  };
}

function canaryFrom({ uiUrl, version, metadata, navigation, percent }: Canary): Record<string, unknown> {
  return { uiUrl, version, metadata: metadata ?? {}, navigation: navigation.map(navigationItemFrom), percent };
}

function navigationItemFrom({ title, path, icon, permission }: Item): NavigationItem {
  return { title, path, ...(icon !== '' && { icon }), ...(permission !== '' && { permission }) };
}

/** With who says so: what they say of themselves alone is no proof. */
function sourceFrom(source: AppSource | undefined, speaker: ServiceActor): GivenSource {
  return { speaker, uid: source?.uid ?? '', generation: Number(source?.generation ?? 0n), namespace: source?.namespace ?? '', name: source?.name ?? '', installation: source?.installation ?? '', deletionPolicy: source?.deletionPolicy ?? '', step: source?.step ?? '' };
}

function reportFrom(report: AppReport | undefined): Record<string, unknown> {
  if (report === undefined) return {};
  const { digest, conditions, observedGeneration, observedVersion, degraded } = report;
  return {
    digest, observedVersion, degraded,
    observedGeneration: Number(observedGeneration),
    conditions: conditions.map(({ type, status, reason, message, lastTransitionTime, observedGeneration: generation }) => ({ type, status, reason, message, lastTransitionTime, observedGeneration: Number(generation) })),
  };
}

function surfaceFrom({ digest, version, content }: ApiSurface): Record<string, unknown> {
  return { digest, version, content };
}

function presentDifference(difference: Difference): { field: string; before: string; after: string } {
  return { field: difference.field, before: JSON.stringify(difference.before), after: JSON.stringify(difference.after) };
}

function presentEntry({ entry, cachedRevision }: ListedEntry) {
  const source = sourceOf(entry.app);
  const { navigation, metadata, organizations, uiCanary, ...desired } = desiredOf(entry);
  const text = (value: string | null): string => value ?? '';
  return create(AppEntrySchema, {
    id: entry.app.id,
    managedBy: entry.app.managedBy,
    revision: BigInt(entry.app.revision),
    cachedRevision: BigInt(cachedRevision),
    ...(source && { source: { ...source, generation: BigInt(source.generation) } }),
    app: {
      ...desired,
      uiUrl: text(desired.uiUrl), icon: text(desired.icon), description: text(desired.description), category: text(desired.category), version: text(desired.version),
      metadata: metadata as JsonObject,
      navigation: navigation.map(presentItem),
      organizations,
      ...(uiCanary && { uiCanary: { uiUrl: text(uiCanary.uiUrl), version: text(uiCanary.version), metadata: uiCanary.metadata as JsonObject, navigation: uiCanary.navigation.map(presentItem), percent: uiCanary.percent } }),
    },
  });
}

function presentItem({ title, path, icon = '', permission = '' }: NavigationItem) {
  return { title, path, icon, permission };
}
