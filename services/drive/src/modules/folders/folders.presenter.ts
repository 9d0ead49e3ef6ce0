import type { FolderView } from './folders.dto.js';
import type { FolderRow } from './folders.repository.js';

export function presentFolder({ id, name, parentId, createdBy, createdAt, updatedAt, version }: Omit<FolderRow, 'parentId'> & { readonly parentId?: string | null }): FolderView {
  return { id, name, parentId: parentId ?? null, createdBy, createdAt, updatedAt, version };
}
