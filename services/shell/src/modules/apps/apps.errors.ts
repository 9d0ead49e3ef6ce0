import { AppError } from '@satellite/kit/core';

export class AppNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'apps.not_found';
  constructor(key: string) {
    super('There is no such app in the registry.', { app: key });
  }
}

export class SlugInUse extends AppError {
  readonly kind = 'conflict';
  readonly code = 'apps.slug_in_use';
  constructor(slug: string, owner?: string) {
    super(`The slug "${slug}" is taken${owner === undefined ? '' : ` by ${owner}`}. Choose another one.`, { slug });
  }
}

export class DeclarationInUse extends AppError {
  readonly kind = 'conflict';
  readonly code = 'apps.declaration_in_use';
  constructor(kind: 'permission code' | 'limit key', name: string, owner: string) {
    super(`The ${kind} "${name}" belongs to ${owner}. Declare it under the app's own slug.`, { name, owner });
  }
}

export class ManagedElsewhere extends AppError {
  readonly kind = 'conflict';
  readonly code = 'apps.managed_elsewhere';
  constructor(slug: string, manager: string) {
    super(`"${slug}" is managed by the ${manager}; change it there, or repeat the request with force=true (the ${manager} may undo it).`, { slug, managedBy: manager });
  }
}

/** The same answer for the operator, whose remedy is another one. */
export class NotOperatorManaged extends AppError {
  readonly kind = 'precondition_failed';
  readonly code = 'apps.not_operator_managed';
  constructor(slug: string, manager: string) {
    super(`The registry entry "${slug}" is managed by the ${manager}. Remove it there or choose another slug.`, { slug, managedBy: manager });
  }
}

/** The database does not answer, or too many writes wait for it. */
export class RegistryBusy extends AppError {
  readonly kind = 'unavailable';
  readonly code = 'apps.registry_busy';
  constructor() {
    super('The registry cannot be written at the moment. Try again.');
  }
}

export class StaleGeneration extends AppError {
  readonly kind = 'precondition_failed';
  readonly code = 'apps.stale_generation';
  constructor(slug: string, applied: number, given: number) {
    super(`Generation ${applied} of "${slug}" is already applied; ${given} is older.`, { slug, applied, given });
  }
}

/** A service client speaks for an installation that is not its own. */
export class ForeignInstallation extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'apps.foreign_installation';
  constructor(named: string, own: string | null) {
    const may = own === null ? `The installation "${named}" has a service client of its own` : `This service client speaks for the installation "${own}" only, not for ${named === '' ? 'none' : `"${named}"`}`;
    super(`${may}: give the operator the client and the name (OPERATOR_CLIENT_ID, OPERATOR_INSTALLATION) that the Shell knows by APP_ENV_OPERATOR_INSTALLATIONS.`, { installation: named });
  }
}

/** The remote answers, but not with what a satellite serves. */
export class UnusableRemote extends AppError {
  readonly kind = 'unprocessable';
  constructor(
    readonly code: 'apps.remote_descriptor_missing' | 'apps.remote_descriptor_invalid' | 'apps.remote_manifest_invalid',
    message: string,
    details: Record<string, unknown> = {},
  ) {
    super(message, details);
  }
}
