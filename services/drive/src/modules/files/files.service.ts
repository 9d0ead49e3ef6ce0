import { InvalidFields, Rows } from '@satellite/kit/core';
import { brokenUnique, type Database } from '@satellite/kit/db';
import type { Outbox } from '@satellite/kit/events';
import { requireMatch } from '@satellite/kit/http';
import type { Actor } from '../../actor.js';
import { parseName } from '../../names.js';
import { parseWindow, type WindowParameters } from '../../window.js';
import type { AuditLog } from '../audit/index.js';
import type { FoldersService } from '../folders/index.js';
import type { Objects } from '../storage/index.js';
import type { File } from './file.entity.js';
import { FileNameInUse, FileNotFound, FileOfSomebodyElse } from './files.errors.js';
import type { FileRow, FilesRepository } from './files.repository.js';

const MIN_SEARCH = 2;
const MAX_SEARCH = 255;

export interface FileQuery extends WindowParameters {
  readonly folderId?: string | null | undefined;
  readonly q?: string | undefined;
}

export interface FileChanges {
  readonly name?: string | undefined;
  /** Null = out of all folders. */
  readonly folderId?: string | null | undefined;
}

export interface FilesServiceDeps {
  readonly db: Database;
  readonly files: FilesRepository;
  readonly folders: FoldersService;
  readonly objects: Objects;
  readonly audit: AuditLog;
  readonly outbox: Outbox;
}

/** Files of an organization. */
export class FilesService {
  constructor(private readonly deps: FilesServiceDeps) {}

  /** By name. Throws InvalidFields or FolderNotFound. */
  async list(actor: Actor, { folderId, q, ...window }: FileQuery): Promise<Rows<FileRow>> {
    const { limit, offset } = parseWindow(window, { limit: 50 });
    if (q !== undefined && ([...q].length < MIN_SEARCH || q.length > MAX_SEARCH || q.includes('\0'))) throw new InvalidFields([{ field: 'q', message: `must be ${MIN_SEARCH} to ${MAX_SEARCH} characters` }]);
    if (typeof folderId === 'string') await this.deps.folders.found(actor.organizationId, folderId);
    const { rows, total } = await this.deps.files.list(actor.organizationId, { folderId, q }, limit, offset);
    return new Rows(rows, total);
  }

  /** How much the organization stores. */
  usage(actor: Actor): Promise<{ files: number; bytes: number }> {
    return this.deps.files.usage(actor.organizationId);
  }

  /** Throws FileNotFound. */
  async get(organizationId: string, id: string): Promise<File> {
    const file = await this.deps.files.find(organizationId, id);
    if (file === undefined) throw new FileNotFound();
    return file;
  }

  /** The file for somebody who may change it, in a transaction that keeps it as it is. Throws FileNotFound or FileOfSomebodyElse. */
  async own(actor: Actor, id: string): Promise<File> {
    const file = await this.deps.files.lock(actor.organizationId, id);
    if (file === undefined) throw new FileNotFound();
    if (!actor.isAdmin && file.createdBy !== actor.id) throw new FileOfSomebodyElse();
    return file;
  }

  /** What `get` answers, for somebody who is about to get its bytes. Throws FileNotFound. */
  async download(actor: Actor, id: string): Promise<File> {
    const file = await this.get(actor.organizationId, id);
    await this.deps.audit.record(actor, { action: 'files.downloaded', subject: file });
    return file;
  }

  /** Renames or moves. Throws InvalidFields, FileNotFound, FileOfSomebodyElse, FolderNotFound, FileNameInUse or StaleRecord. */
  async change(actor: Actor, id: string, { name, folderId }: FileChanges, ifMatch?: string): Promise<File> {
    const { db, files, folders, audit } = this.deps;
    const newName = name === undefined ? undefined : parseName(name);
    try {
      return await db.run(async () => {
        await folders.hold(actor.organizationId, folderId ?? null);
        const file = await this.own(actor, id);
        requireMatch(ifMatch, file.version);
        const before = { name: file.name, folderId: file.folderId ?? null };
        Object.assign(file, newName !== undefined && { name: newName }, folderId !== undefined && { folderId });
        await files.flush();
        await audit.record(actor, { action: 'files.changed', subject: file, details: { before } });
        return file;
      });
    } catch (error) {
      throw brokenUnique(error) === 'files_name_key' ? new FileNameInUse(newName ?? '') : error;
    }
  }

  /** Deletes the file, its links and its bytes, for good. Throws FileNotFound or FileOfSomebodyElse. */
  async remove(actor: Actor, id: string): Promise<void> {
    const { db, files, objects, audit, outbox } = this.deps;
    await db.run(async () => {
      const file = await this.own(actor, id);
      await files.remove(file);
      await objects.discard(file);
      await outbox.emit({ type: 'drive.file_deleted', organizationId: file.organizationId, payload: { fileId: file.id } });
      await audit.record(actor, { action: 'files.deleted', subject: file, details: { size: file.size, checksum: file.checksum } });
    });
  }
}
