import { randomUUID } from 'node:crypto';
import { AppNotEnabled, TokenRefused, type ShellConnection } from '@satellite/kit/auth';
import { InvalidFields } from '@satellite/kit/core';
import type { Database } from '@satellite/kit/db';
import type { Actor } from '../../actor.js';
import { permissionsOf } from '../../permissions.js';
import type { AuditLog } from '../audit/index.js';
import { FileNotFound, type File, type FilesService } from '../files/index.js';
import { hashOf, isToken, type LinkTokens } from './link-tokens.js';
import { LinkNotFound, TooManyLinks } from './shares.errors.js';
import type { LinkTarget, SharesRepository } from './shares.repository.js';

/** Lives of links in days (section 8 of the interface). */
const LINK_DAYS: readonly number[] = [1, 3, 7];

const MAX_LINKS = 100;

/** A link as those see it who may share the file. */
export interface Link {
  readonly id: string;
  /** Undefined when the key that it was made with is gone; the link works all the same. */
  readonly token: string | undefined;
  readonly createdBy: string;
  readonly expiresAt: Date;
}

/** What somebody with a link gets. */
export interface SharedFile {
  readonly file: File;
  readonly expiresAt: Date;
}

export interface SharesServiceDeps {
  readonly db: Database;
  readonly shares: SharesRepository;
  readonly files: FilesService;
  readonly tokens: LinkTokens;
  readonly shell: Pick<ShellConnection, 'assertStanding'>;
  readonly audit: AuditLog;
}

/** Links to single files for people without an account. */
export class SharesService {
  constructor(private readonly deps: SharesServiceDeps) {}

  /** Throws InvalidFields, FileNotFound, FileOfSomebodyElse or TooManyLinks. */
  share(actor: Actor, fileId: string, days: number): Promise<{ token: string; expiresAt: Date }> {
    const { db, shares, files, tokens, audit } = this.deps;
    if (!LINK_DAYS.includes(days)) throw new InvalidFields([{ field: 'ttlDays', message: `must be ${LINK_DAYS.join(', ')}` }]);
    const id = randomUUID();
    const token = tokens.issue(id);
    return db.run(async () => {
      const file = await files.own(actor, fileId);
      if ((await shares.active(actor.organizationId, fileId)).length >= MAX_LINKS) throw new TooManyLinks(MAX_LINKS);
      const expiresAt = await shares.add({ id, organizationId: actor.organizationId, fileId, tokenHash: hashOf(token), createdBy: actor.id, days });
      await audit.record(actor, { action: 'shares.created', subject: file, details: { linkId: id, days } });
      return { token, expiresAt };
    });
  }

  /** Links that work. Throws FileNotFound or FileOfSomebodyElse. */
  list(actor: Actor, fileId: string): Promise<Link[]> {
    const { db, shares, files, tokens } = this.deps;
    return db.run(async () => {
      await files.own(actor, fileId);
      const rows = await shares.active(actor.organizationId, fileId);
      return rows.map(({ id, tokenHash, createdBy, expiresAt }) => ({ id, token: tokens.find(id, tokenHash), createdBy, expiresAt }));
    });
  }

  /** Throws FileNotFound, FileOfSomebodyElse or LinkNotFound. */
  async revoke(actor: Actor, fileId: string, linkId: string): Promise<void> {
    const { db, shares, files, audit } = this.deps;
    await db.run(async () => {
      const file = await files.own(actor, fileId);
      if (!(await shares.revoke(actor.organizationId, fileId, linkId))) throw new LinkNotFound();
      await audit.record(actor, { action: 'shares.revoked', subject: file, details: { linkId } });
    });
  }

  /** What a link leads to at this moment. Throws LinkNotFound for every cause alike, ShellUnavailable when its owner cannot be asked about. */
  async look(token: string): Promise<SharedFile> {
    return this.open(await this.target(token));
  }

  /** The same for somebody who is about to get the bytes. */
  async download(token: string): Promise<SharedFile> {
    const target = await this.target(token);
    const shared = await this.open(target);
    await this.deps.audit.record({ organizationId: target.organizationId, id: null, email: 'somebody with a link' }, { action: 'shares.downloaded', subject: shared.file, details: { linkId: target.linkId } });
    return shared;
  }

  private async target(token: string): Promise<LinkTarget> {
    const target = isToken(token) ? await this.deps.shares.target(hashOf(token)) : undefined;
    if (target === undefined) throw new LinkNotFound();
    await this.assertOwnerMayShare(target);
    return target;
  }

  /** A link lends what its owner has: it stops with them, their organization, and their right to share. */
  private async assertOwnerMayShare({ organizationId, owner: { shellUserId, status, roleIds } }: LinkTarget): Promise<void> {
    if (shellUserId === null || status !== 'active' || !permissionsOf(roleIds).has('shares:write')) throw new LinkNotFound();
    await this.deps.shell.assertStanding({ userId: shellUserId, organizationId }).catch((error: unknown) => {
      throw error instanceof TokenRefused || error instanceof AppNotEnabled ? new LinkNotFound() : error;
    });
  }

  private async open({ organizationId, fileId, expiresAt }: LinkTarget): Promise<SharedFile> {
    const file = await this.deps.files.get(organizationId, fileId).catch((error: unknown) => {
      throw error instanceof FileNotFound ? new LinkNotFound() : error; // deleted this very moment
    });
    return { file, expiresAt };
  }
}
