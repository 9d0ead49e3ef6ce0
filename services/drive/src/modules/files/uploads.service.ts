import { randomUUID } from 'node:crypto';
import { pipeline, type Readable } from 'node:stream';
import { InvalidFields } from '@satellite/kit/core';
import { brokenUnique, type Database } from '@satellite/kit/db';
import { ObjectTooLarge } from '@satellite/kit/storage';
import type { Actor } from '../../actor.js';
import { parseName } from '../../names.js';
import type { AuditLog } from '../audit/index.js';
import type { FoldersService } from '../folders/index.js';
import type { Counted, Objects } from '../storage/index.js';
import { Sample } from './content-type.js';
import { File } from './file.entity.js';
import { FileNameInUse, FileTooLarge } from './files.errors.js';
import type { FilesRepository } from './files.repository.js';

/** A file on its way in. */
export interface IncomingFile {
  readonly name: string;
  readonly content: Readable;
  /** Fields that came before it. */
  readonly fields: ReadonlyMap<string, string>;
}

export interface Received<T> {
  readonly taken: T;
  /** All fields. */
  readonly fields: ReadonlyMap<string, string>;
}

/** Reads a request and hands over its file while it comes in. */
export type ReceiveUpload = <T>(take: (file: IncomingFile) => Promise<T>) => Promise<Received<T>>;

/** Bytes that are in the store and belong to no file yet. */
interface Staged {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  readonly checksum: string;
  readonly contentType: string;
}

export interface UploadsServiceDeps {
  readonly db: Database;
  readonly objects: Objects;
  readonly files: FilesRepository;
  readonly folders: FoldersService;
  readonly audit: AuditLog;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Uploads: the bytes go to a fresh object while they come in, then one transaction makes the file. Whatever fails
 * before that, the object is removed; whoever loses a race for a name loses their object too.
 */
export class UploadsService {
  constructor(
    private readonly deps: UploadsServiceDeps,
    private readonly maxBytes: number,
  ) {}

  /** Throws InvalidFields, FolderNotFound, FileNameInUse, FileTooLarge, StorageFull, UploadExpired, StoreFailed, and what `receive` throws. */
  async upload(actor: Actor, receive: ReceiveUpload): Promise<File> {
    let key: string | undefined;
    try {
      const { taken, fields } = await receive(async (file) => {
        key = await this.deps.objects.begin(actor.organizationId);
        return this.stage(actor, key, file);
      });
      const counted = await this.deps.objects.count(actor, taken.key, taken.size);
      return await this.commit(actor, { ...taken, ...counted }, folderIdIn(fields));
    } catch (error) {
      if (key !== undefined) await this.deps.objects.abandon(key);
      throw error instanceof ObjectTooLarge ? new FileTooLarge(this.maxBytes) : error;
    }
  }

  private async stage(actor: Actor, key: string, { name: given, content, fields }: IncomingFile): Promise<Staged> {
    const name = parseName(given, 'file');
    if (fields.has('folderId')) await this.assertWelcome(actor, folderIdIn(fields), name);
    const sample = new Sample();
    pipeline(content, sample, () => undefined); // an end or failure of one is one of both; the store hears it
    const { size, checksum } = await this.deps.objects.write(key, sample, this.maxBytes);
    return { key, name, size, checksum, contentType: await sample.contentType(name) };
  }

  /** Spares a client the upload of what would be refused; the transaction decides. */
  private async assertWelcome(actor: Actor, folderId: string | null, name: string): Promise<void> {
    if (folderId !== null) await this.deps.folders.found(actor.organizationId, folderId);
    if (!(await this.deps.files.isNameFree(actor.organizationId, folderId, name))) throw new FileNameInUse(name);
  }

  private async commit(actor: Actor, { key, ...facts }: Staged & Counted, folderId: string | null): Promise<File> {
    const { db, objects, files, folders, audit } = this.deps;
    const file = Object.assign(new File(), { ...facts, id: randomUUID(), organizationId: actor.organizationId, folderId, objectKey: key, createdBy: actor.id });
    try {
      return await db.run(async () => {
        await folders.hold(actor.organizationId, folderId);
        await objects.keep(file);
        await files.add(file);
        await audit.record(actor, { action: 'files.uploaded', subject: file, details: { size: file.size, checksum: file.checksum, folderId } });
        return file;
      });
    } catch (error) {
      throw brokenUnique(error) === 'files_name_key' ? new FileNameInUse(file.name) : error;
    }
  }
}

/** Null outside of folders. */
function folderIdIn(fields: ReadonlyMap<string, string>): string | null {
  const given = fields.get('folderId') ?? '';
  if (given === '') return null;
  if (!UUID.test(given)) throw new InvalidFields([{ field: 'folderId', message: 'must be a UUID' }]);
  return given;
}
