import { InvalidFields } from '@satellite/kit/core';
import type { ServiceActor } from '../../actor.js';
import { ForeignInstallation, NotOperatorManaged, SlugInUse, StaleGeneration } from './apps.errors.js';
import { sourceOf, type AppSource, type OwnedApp } from './app-source.js';

/** A source as a service names it in a call. */
export interface GivenSource extends AppSource {
  /** Who says so. */
  readonly speaker: Speaker;
}

type Speaker = Pick<ServiceActor, 'installation' | 'reserved'>;

const DELETION_POLICIES: readonly string[] = ['', 'Delete', 'Orphan'];

/**
 * Of this object, or of one that had its namespace and name: deleted and made again while the operator was away.
 * The same names in another cluster are somebody else's.
 */
export function isOwnedBy(app: OwnedApp, source: GivenSource): boolean {
  const owner = sourceOf(app);
  if (app.managedBy !== 'operator' || owner === undefined || !speaksFor(source.speaker, owner.installation)) return false;
  if (owner.uid === source.uid) return true;
  return owner.namespace === source.namespace && owner.name === source.name && isUnknownOr(source.installation, owner.installation);
}

/** Throws what is to be said to a source that wants to write an entry of somebody else, or to write it back. */
export function assertOwned(app: OwnedApp, source: GivenSource, force: boolean): void {
  const owner = sourceOf(app);
  if (app.managedBy !== 'operator') {
    if (!force) throw new NotOperatorManaged(app.slug, app.managedBy === 'api' ? 'administrators (API)' : 'installation');
    return;
  }
  if (!isOwnedBy(app, source)) throw new SlugInUse(app.slug, ownerName(owner, source));
  if (owner?.uid === source.uid && owner.generation > source.generation) throw new StaleGeneration(app.slug, owner.generation, source.generation);
}

/** What this very object, generation and step asked for was applied; whatever differs since then is somebody else's doing. */
export function isOfSource({ managedBy, sourceUid, sourceGeneration, sourceStep }: OwnedApp, { uid, generation, step }: AppSource): boolean {
  return managedBy === 'operator' && sourceUid === uid && sourceGeneration === generation && sourceStep === step;
}

/** What is recorded of the source is what it says of itself, as far as it says it. */
export function isRecorded(app: OwnedApp, source: AppSource): boolean {
  const owner = sourceOf(app);
  return owner !== undefined && isOfSource(app, source) && isSaid(source.installation, owner.installation) && isSaid(source.deletionPolicy, owner.deletionPolicy);
}

/** Throws InvalidFields or ForeignInstallation. */
export function assertSource(source: GivenSource): void {
  const problems = [
    ...(source.uid === '' || source.uid.length > 128 ? [{ field: 'source.uid', message: 'must be 1 to 128 characters' }] : []),
    ...(source.name === '' ? [{ field: 'source.name', message: 'must not be empty' }] : []),
    ...(source.generation < 1 ? [{ field: 'source.generation', message: 'must be 1 or more' }] : []),
    ...(source.step.length > 64 ? [{ field: 'source.step', message: 'must be at most 64 characters' }] : []),
    ...(source.installation.length > 128 ? [{ field: 'source.installation', message: 'must be at most 128 characters' }] : []),
    ...(DELETION_POLICIES.includes(source.deletionPolicy) ? [] : [{ field: 'source.deletion_policy', message: 'must be Delete, Orphan or empty' }]),
  ];
  if (problems.length > 0) throw new InvalidFields(problems);
  if (!speaksFor(source.speaker, source.installation)) throw new ForeignInstallation(source.installation, source.speaker.installation);
}

/** A client of one installation speaks for that one; what has a client of its own nobody else speaks for. */
function speaksFor({ installation, reserved }: Speaker, named: string): boolean {
  return installation === null ? !reserved.includes(named) : named === installation;
}

/** Entries of before there were installations belong to whoever has the names; one that says whose it is does not. */
function isUnknownOr(given: string, recorded: string): boolean {
  return recorded === '' || given === recorded;
}

function isSaid(given: string, recorded: string): boolean {
  return given === '' || given === recorded;
}

function ownerName(owner: AppSource | undefined, { installation }: AppSource): string {
  const name = `${owner?.namespace ?? ''}/${owner?.name ?? ''}`;
  return owner === undefined || isUnknownOr(installation, owner.installation) ? name : `${name} of installation ${owner.installation} (if that one is gone for good, give the operator its name by OPERATOR_INSTALLATION)`;
}
