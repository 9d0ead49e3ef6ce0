import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';

export const FileSchema = defineEntity({
  name: 'File',
  tableName: 'files',
  properties: {
    id: p.uuid().primary().onCreate(() => randomUUID()),
    organizationId: p.uuid(),
    /** Null outside of folders. */
    folderId: p.uuid().nullable(),
    name: p.string().length(255),
    size: p.bigint('number'),
    contentType: p.string().length(200),
    /** SHA-256 in hex. */
    checksum: p.string().columnType('char(64)'),
    objectKey: p.string().length(200),
    /** Its bytes were counted in the Shell, and have to be given back there. */
    counted: p.boolean(),
    /** End of the period in which they were counted; null where counters have no end. */
    countedUntil: p.datetime().length(3).nullable(),
    createdBy: p.uuid(),
    version: p.integer().version(),
    createdAt: p.datetime().length(3).onCreate(() => new Date()),
    updatedAt: p.datetime().length(3).onCreate(() => new Date()).onUpdate(() => new Date()),
  },
});

/** What is known of a file; its bytes are an object in the store and never change. */
export class File extends FileSchema.class {}
FileSchema.setClass(File);
