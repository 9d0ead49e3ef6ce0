import { randomUUID } from 'node:crypto';
import { Rows } from '@satellite/kit/core';
import { brokenUnique, type Database } from '@satellite/kit/db';
import type { Outbox } from '@satellite/kit/events';
import { requireMatch } from '@satellite/kit/http';
import type { Actor } from '../../actor.js';
import { parseName } from '../../names.js';
import { parseWindow, type WindowParameters } from '../../window.js';
import type { AuditLog } from '../audit/index.js';
import type { Objects } from '../storage/index.js';
import { Folder } from './folder.entity.js';
import { FolderNameInUse, FolderNotFound, FolderOfSomebodyElse, HoldsOthersFiles, MoveIntoItself, TooDeep } from './folders.errors.js';
import { MAX_DEPTH, type FolderRow, type FoldersRepository } from './folders.repository.js';

export interface FolderChanges {
  readonly name?: string | undefined;
  /** Null = the root. */
  readonly parentId?: string | null | undefined;
}

export interface FoldersServiceDeps {
  readonly db: Database;
  readonly folders: FoldersRepository;
  readonly objects: Objects;
  readonly audit: AuditLog;
  readonly outbox: Outbox;
}

/** The tree of folders of an organization. */
export class FoldersService {
  constructor(private readonly deps: FoldersServiceDeps) {}

  /** What is directly in a folder, or at the root. Throws FolderNotFound. */
  async list(actor: Actor, parentId: string | null, given: WindowParameters): Promise<Rows<FolderRow>> {
    const { limit, offset } = parseWindow(given, { limit: 100 });
    if (parentId !== null) await this.found(actor.organizationId, parentId);
    const { rows, total } = await this.deps.folders.children(actor.organizationId, parentId, limit, offset);
    return new Rows(rows, total);
  }

  /** Throws InvalidFields, FolderNotFound, FolderNameInUse or TooDeep. */
  create(actor: Actor, given: { name: string; parentId?: string | null | undefined }): Promise<Folder> {
    const { folders, db } = this.deps;
    const parentId = given.parentId ?? null;
    const folder = Object.assign(new Folder(), { id: randomUUID(), organizationId: actor.organizationId, parentId, name: parseName(given.name), createdBy: actor.id });
    return this.naming(folder.name, () =>
      db.run(async () => {
        await this.hold(actor.organizationId, parentId);
        if ((await folders.depthOf(actor.organizationId, parentId)) >= MAX_DEPTH) throw new TooDeep(MAX_DEPTH);
        await folders.add(folder);
        await this.note(actor, 'folders.created', folder, { parentId });
        return folder;
      }),
    );
  }

  /** Renames or moves. Throws InvalidFields, FolderNotFound, FolderOfSomebodyElse, FolderNameInUse, MoveIntoItself, TooDeep or StaleRecord. */
  change(actor: Actor, id: string, { name, parentId }: FolderChanges, ifMatch?: string): Promise<Folder> {
    const { folders, db } = this.deps;
    const newName = name === undefined ? undefined : parseName(name);
    return this.naming(newName ?? '', () =>
      db.run(async () => {
        if (parentId === undefined) await folders.holdTree(actor.organizationId);
        else await folders.changeTree(actor.organizationId);
        const folder = await this.locked(actor, id);
        requireMatch(ifMatch, folder.version);
        const before = { name: folder.name, parentId: folder.parentId ?? null };
        if (parentId !== undefined && parentId !== before.parentId) await this.assertFits(folder, parentId);
        Object.assign(folder, newName !== undefined && { name: newName }, parentId !== undefined && { parentId });
        await folders.flush();
        await this.note(actor, 'folders.changed', folder, { before });
        return folder;
      }),
    );
  }

  /** Deletes the folder with everything below it. Throws FolderNotFound, FolderOfSomebodyElse or HoldsOthersFiles. */
  async remove(actor: Actor, id: string): Promise<void> {
    const { db, folders, objects, outbox } = this.deps;
    await db.run(async () => {
      await folders.changeTree(actor.organizationId);
      const folder = await this.locked(actor, id);
      const { hasOthers, ...facts } = await folders.factsOf(actor.organizationId, id, actor.id);
      if (hasOthers && !actor.isAdmin) throw new HoldsOthersFiles();
      await folders.removeTree(actor.organizationId, id);
      objects.discarded();
      outbox.added();
      await this.note(actor, 'folders.deleted', folder, facts);
    });
  }

  /** In a transaction that puts something into a folder: the folder is there and stays until the end of it. Throws FolderNotFound. */
  async hold(organizationId: string, id: string | null): Promise<void> {
    await this.deps.folders.holdTree(organizationId);
    if (id !== null) await this.found(organizationId, id);
  }

  /** Throws FolderNotFound. */
  async found(organizationId: string, id: string): Promise<Folder> {
    const folder = await this.deps.folders.find(organizationId, id);
    if (folder === undefined) throw new FolderNotFound();
    return folder;
  }

  private async locked(actor: Actor, id: string): Promise<Folder> {
    const folder = await this.deps.folders.lock(actor.organizationId, id);
    if (folder === undefined) throw new FolderNotFound();
    if (!actor.isAdmin && folder.createdBy !== actor.id) throw new FolderOfSomebodyElse();
    return folder;
  }

  private async assertFits({ id, organizationId }: Folder, parentId: string | null): Promise<void> {
    const { folders } = this.deps;
    if (parentId === null) return;
    await this.found(organizationId, parentId);
    if (await folders.isBelow(organizationId, parentId, id)) throw new MoveIntoItself();
    if ((await folders.depthOf(organizationId, parentId)) + (await folders.heightOf(organizationId, id)) > MAX_DEPTH) throw new TooDeep(MAX_DEPTH);
  }

  private note(actor: Actor, action: string, folder: Folder, details: Readonly<Record<string, unknown>>): Promise<void> {
    return this.deps.audit.record(actor, { action, subject: folder, details });
  }

  /** The constraint, not a look before it, keeps names apart. */
  private async naming<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw brokenUnique(error) === 'folders_name_key' ? new FolderNameInUse(name) : error;
    }
  }
}
