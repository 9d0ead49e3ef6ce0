import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { singleLine } from '@satellite/kit/core';
import type { AppSchema, AppSourceSchema, FieldDifference } from '@satellite/proto/registry/v1';
import { BreakerOpen } from '../../runtime/circuit-breaker.js';
import { Stalled, Waiting } from '../../runtime/errors.js';
import type { FrontEnd } from './roll-out/front-end.js';
import type { Distribution } from './roll-out/roll-out.js';
import type { SatelliteApp, SatelliteAppStatus } from './satellite-app.js';

/**
 * The registry entry that the object asks for, as far as it is rolled out. URLs go as they are written: the Shell
 * resolves paths for its readers.
 */
export function registryApp({ spec }: SatelliteApp, distribution?: Distribution): MessageInitShape<typeof AppSchema> {
  const { slug, name, type, apiUrl, icon, description, category, status, permissions, limitKeys, organizations } = spec;
  const { canary } = distribution ?? {};
  return {
    slug, name, type, apiUrl, icon, description, category, status, permissions, limitKeys,
    ...frontEndFields(distribution?.frontEnd ?? spec),
    organizations: { all: organizations.mode === 'All', slugs: organizations.slugs },
    organizationPercent: distribution?.percent,
    ...(canary && { uiCanary: { ...frontEndFields(canary), percent: canary.percent } }),
  };
}

function frontEndFields({ uiUrl, version, metadata, navigation }: FrontEnd) {
  return { uiUrl, version, metadata: metadata as JsonObject | undefined, navigation };
}

export function registrySource({ metadata: { uid, generation, namespace, name }, spec: { deletionPolicy } }: SatelliteApp, installation = ''): MessageInitShape<typeof AppSourceSchema> {
  return { uid, generation: BigInt(generation), namespace, name, installation, deletionPolicy };
}

/** The registry part of the status. The cached revision is cut at our own: that it goes on with others' writes is no news here. */
export function registryStatus({ id, revision, cachedRevision }: { readonly id: string; readonly revision: bigint; readonly cachedRevision: bigint }): NonNullable<SatelliteAppStatus['registry']> {
  return { id, revision: Number(revision), cachedRevision: Number(cachedRevision < revision ? cachedRevision : revision) };
}

const VALUE_LIMIT = 500;
const DIFFERENCE_LIMIT = 64;

export function statusDifferences(differences: readonly FieldDifference[]): NonNullable<SatelliteAppStatus['differences']> {
  return differences.slice(0, DIFFERENCE_LIMIT).map(({ field, before, after }) => ({ field, before: before.slice(0, VALUE_LIMIT), after: after.slice(0, VALUE_LIMIT) }));
}

/** The slug, a permission or a limit key belongs to another source. */
export const REGISTRY_CONFLICT = 'RegistryConflict';

/** Refusals that trying again cannot cure, with the reason they get. */
const REFUSALS: Partial<Record<Code, string>> = {
  [Code.InvalidArgument]: 'RegistryRefused',
  [Code.AlreadyExists]: REGISTRY_CONFLICT,
  [Code.FailedPrecondition]: 'RegistryManagedElsewhere',
};
const OUTAGE_RETRY_MS = 15_000;
/** The Shell does not answer. */
export const REGISTRY_UNAVAILABLE = 'RegistryUnavailable';

/** What an error of a registry call means for the object. */
export function registryProblem(error: unknown): Stalled | Waiting {
  if (error instanceof BreakerOpen) return notAsked(error);
  const problem = ConnectError.from(error);
  const message = singleLine(problem.rawMessage);
  const refusal = REFUSALS[problem.code];
  if (refusal) return new Stalled(refusal, message, { cause: error });
  if (problem.code === Code.PermissionDenied || problem.code === Code.Unauthenticated) {
    return new Waiting('RegistryForbidden', `The Shell does not let the operator write the registry: ${message}`, { maxDelayMs: OUTAGE_RETRY_MS }, { cause: error });
  }
  return new Waiting(REGISTRY_UNAVAILABLE, `The registry of the Shell cannot be reached or does not answer: ${message}`, { maxDelayMs: OUTAGE_RETRY_MS }, { cause: error });
}

/** The Shell may be in the middle of its upgrade, so it is tried again. */
const UPGRADE_RETRY_MS = 60_000;

/** The Shell knows no shares. */
export const SHELL_TOO_OLD = 'ShellTooOld';

/** Nothing is written rather than giving everybody what only some are to have. */
export function shellTooOld({ spec }: SatelliteApp, cause?: unknown): Waiting {
  const given = [...(spec.organizations.waves ? ['spec.organizations.waves'] : []), ...(spec.rollout ? ['spec.rollout'] : [])].join(' and ');
  const held = spec.mode === 'Enforce' ? 'nothing is written' : 'mode Enforce would write nothing';
  const message = `The Shell is older than roll-outs and would give the app to everybody at once, so ${held}. Upgrade the Shell and this goes on by itself; or remove ${given} to give it to everybody now.`;
  return new Waiting(SHELL_TOO_OLD, message, { maxDelayMs: UPGRADE_RETRY_MS }, { cause });
}

/** The breaker fetches whoever waits as soon as the Shell answers, so the object itself need not look often. */
function notAsked(error: BreakerOpen): Waiting {
  const when = new Date(Date.now() + error.retryMs).toISOString().slice(11, 19);
  const next = `The Shell is asked again at ${when} UTC; as soon as it answers, this object goes on by itself.`;
  return new Waiting(REGISTRY_UNAVAILABLE, `The registry of the Shell is not called for now: ${singleLine(error.message)}. ${next}`, {}, { cause: error });
}
