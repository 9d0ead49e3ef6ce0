import type { Uuid } from '@satellite/kit/http';

/** What is known of a file. */
export interface FileView {
  id: string;
  name: string;
  /** Bytes. */
  size: number;
  /** By the bytes, not by what the uploader said. */
  contentType: string;
  /** SHA-256 in hex. */
  checksum: string;
  /** Null outside of folders. */
  folderId: string | null;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

export interface UpdateFileRequest {
  name?: string;
  /** Moves the file; null takes it out of all folders. */
  folderId?: Uuid | null;
}

/** How much an organization stores. */
export interface StorageView {
  files: number;
  bytes: number;
}
