import { randomUUID } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';

export const FolderSchema = defineEntity({
  name: 'Folder',
  tableName: 'folders',
  properties: {
    id: p.uuid().primary().onCreate(() => randomUUID()),
    organizationId: p.uuid(),
    /** Null at the root. */
    parentId: p.uuid().nullable(),
    name: p.string().length(255),
    createdBy: p.uuid(),
    version: p.integer().version(),
    createdAt: p.datetime().length(3).onCreate(() => new Date()),
    updatedAt: p.datetime().length(3).onCreate(() => new Date()).onUpdate(() => new Date()),
  },
});

/** A place for files and folders. */
export class Folder extends FolderSchema.class {}
FolderSchema.setClass(Folder);
