import type { FileView } from './files.dto.js';
import type { FileRow } from './files.repository.js';

export function presentFile({ id, name, size, contentType, checksum, folderId, createdBy, createdAt, updatedAt, version }: Omit<FileRow, 'folderId'> & { readonly folderId?: string | null }): FileView {
  return { id, name, size, contentType, checksum, folderId: folderId ?? null, createdBy, createdAt, updatedAt, version };
}
