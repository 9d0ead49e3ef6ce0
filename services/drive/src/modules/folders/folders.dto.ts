import type { Uuid } from '@satellite/kit/http';

export interface FolderView {
  id: string;
  name: string;
  /** Null at the root. */
  parentId: string | null;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

export interface CreateFolderRequest {
  /** Unique in its place; without / and \. */
  name: string;
  /** At the root unless given. */
  parentId?: Uuid | null;
}

export interface UpdateFolderRequest {
  name?: string;
  /** Moves the folder with everything in it; null moves it to the root. */
  parentId?: Uuid | null;
}
