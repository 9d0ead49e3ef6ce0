import { AppError } from '@satellite/kit/core';

/** Also for organizations that are not the caller's. */
export class OrganizationNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'organizations.not_found';
  constructor() {
    super('There is no such organization.');
  }
}

export class OrganizationSlugInUse extends AppError {
  readonly kind = 'conflict';
  readonly code = 'organizations.slug_in_use';
  constructor(slug: string) {
    super(`The slug "${slug}" is taken. Choose another one.`, { slug });
  }
}

export class PlatformNotSuspendable extends AppError {
  readonly kind = 'conflict';
  readonly code = 'organizations.platform_not_suspendable';
  constructor() {
    super('The organization that runs the platform cannot be suspended.');
  }
}

/** Nobody locks out their own people, and nobody who is locked out lets themselves in again. */
export class StatusIsThePlatforms extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'organizations.status_is_the_platforms';
  constructor() {
    super('Only the platform suspends and reactivates organizations.');
  }
}
