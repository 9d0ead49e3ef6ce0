import { AppError } from '../core/index.js';

/** The record changed since the client read it. */
export class StaleRecord extends AppError {
  readonly kind = 'precondition_failed';
  readonly code = 'request.stale_record';
  constructor() {
    super('The record was changed since you read it. Read it again and repeat your change.');
  }
}

/** Strong entity tag of a record's version (RFC 9110 section 8.8.3). */
export function entityTag(version: number | string): string {
  return `"${version}"`;
}

/** True when a list of entity tags of If-None-Match names this one; weak comparison. */
export function noneMatch(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === tag);
}

/** Throws StaleRecord when If-Match is sent and names another version. */
export function requireMatch(header: string | undefined, version: number | string): void {
  if (header === undefined) return;
  const tags = header.split(',').map((part) => part.trim());
  if (!tags.includes('*') && !tags.includes(entityTag(version))) throw new StaleRecord();
}
