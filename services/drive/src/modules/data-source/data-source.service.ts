import { z } from 'zod';
import { AppNotEnabled, TokenRefused, type ShellConnection } from '@satellite/kit/auth';
import { permissionsOf } from '../../permissions.js';
import type { UsersRepository } from '../users/index.js';
import { InvalidFetch, NotReadable, ResourceNotFound } from './data-source.errors.js';
import type { ResourceFacts, ResourcesRepository, Row } from './resources.repository.js';

/** Empty strings and 0 are absent, as in proto. */
export interface FetchRequest {
  readonly resource: string;
  readonly organizationId: string;
  readonly sub: string;
  readonly pageSize: number;
  readonly pageToken: string;
}

export interface Fetched {
  readonly rows: readonly Row[];
  readonly nextPageToken: string;
}

export interface DataSourceDeps {
  readonly resources: ResourcesRepository;
  readonly shell: Pick<ShellConnection, 'assertStanding'>;
  readonly standings: Pick<UsersRepository, 'standingOf'>;
}

const MAX_ROWS = 1000;
const Uuid = z.uuid();

/** Rows for other services, as far as one person may read them. */
export class DataSourceService {
  constructor(private readonly deps: DataSourceDeps) {}

  describe(): readonly ResourceFacts[] {
    return this.deps.resources.all();
  }

  /** Throws ResourceNotFound, InvalidFetch, NotReadable or ShellUnavailable. */
  async fetch({ resource, organizationId, sub, pageSize, pageToken }: FetchRequest): Promise<Fetched> {
    const all = this.deps.resources.all();
    const found = all.find(({ name }) => name === resource);
    if (found === undefined) throw new ResourceNotFound(resource, all.map(({ name }) => name));
    if (!Uuid.safeParse(organizationId).success || !Uuid.safeParse(sub).success) throw new InvalidFetch('organization_id and sub must be the ids of an organization and of a person in it.');
    const limit = pageSize === 0 ? MAX_ROWS : pageSize;
    if (limit < 1 || limit > MAX_ROWS) throw new InvalidFetch(`page_size must be from 1 to ${MAX_ROWS}, or 0.`);
    await this.assertReadable(organizationId, sub);
    const rows = await found.read(organizationId, afterOf(found, pageToken), limit + 1);
    const page = rows.slice(0, limit);
    return { rows: page.map(({ row }) => row), nextPageToken: rows.length > limit ? tokenOf(found, page.at(-1)?.key ?? '') : '' };
  }

  private async assertReadable(organizationId: string, sub: string): Promise<void> {
    const standing = await this.deps.standings.standingOf(organizationId, sub);
    if (standing?.status !== 'active' || !permissionsOf(standing.roleIds).has('files:read')) throw new NotReadable();
    await this.deps.shell.assertStanding({ userId: sub, organizationId }).catch((error: unknown) => {
      throw error instanceof TokenRefused || error instanceof AppNotEnabled ? new NotReadable() : error;
    });
  }
}

/** Of one resource: a token of another one leads nowhere. */
function tokenOf({ name }: ResourceFacts, key: string): string {
  return Buffer.from(JSON.stringify([name, key])).toString('base64url');
}

function afterOf({ name, fields }: ResourceFacts, token: string): string {
  if (token === '') return '';
  const [resource, key] = parsed(token);
  const isKey = typeof key === 'string' && !key.includes('\0') && (fields[0]?.type !== 'uuid' || Uuid.safeParse(key).success);
  if (resource !== name || !isKey) throw new InvalidFetch('page_token must be the next_page_token of the page before.');
  return key;
}

function parsed(token: string): [unknown, unknown] {
  try {
    const value: unknown = JSON.parse(Buffer.from(token.slice(0, 1000), 'base64url').toString());
    return Array.isArray(value) ? [value[0], value[1]] : [undefined, undefined];
  } catch {
    return [undefined, undefined];
  }
}
