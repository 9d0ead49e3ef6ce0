import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useDrive, type Drive, type Schemas } from './drive.js';

const STEP = 100;
/** More rows than this nobody looks through; the search finds the rest. */
const MOST = 2000;

export interface All<T> {
  readonly rows: readonly T[];
  /** More than there are rows when not all were asked for. */
  readonly total: number;
}

/** All rows of a list that the API gives in parts. */
async function all<T>(ask: (offset: number) => Promise<{ readonly data?: { readonly data: readonly T[]; readonly total: number } }>): Promise<All<T>> {
  const rows: T[] = [];
  for (;;) {
    const { data } = await ask(rows.length);
    rows.push(...(data?.data ?? []));
    const total = data?.total ?? rows.length;
    if (rows.length >= Math.min(total, MOST) || data?.data.length === 0) return { rows, total };
  }
}

/** The folders directly in a folder, or at the root. */
export const foldersIn = ({ client }: Drive, parentId: string | null) => ({
  queryKey: ['folders', parentId],
  queryFn: () => all<Schemas['FolderView']>((offset) => client.GET('/folders', { params: { query: { limit: STEP, offset, ...(parentId !== null && { parentId }) } } })),
});

/** The files directly in a folder or at the root; with a search, those of all folders. */
function filesIn({ client }: Drive, folderId: string | null, q: string) {
  const where = q === '' ? { folderId: folderId ?? ('root' as const) } : { q };
  return {
    queryKey: ['files', where],
    queryFn: () => all<Schemas['FileView']>((offset) => client.GET('/files', { params: { query: { limit: STEP, offset, ...where } } })),
  };
}

/** A folder or a file, as lists show it. */
export interface Entry {
  readonly kind: 'folder' | 'file';
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
  readonly updatedAt: string;
  readonly version: number;
  /** The folder that it is in; null at the root. */
  readonly place: string | null;
  /** Of files. */
  readonly size: number;
  /** Of files. */
  readonly contentType: string;
}

const ofFolder = ({ id, name, createdBy, updatedAt, version, parentId }: Schemas['FolderView']): Entry => ({ kind: 'folder', key: `folder:${id}`, id, name, createdBy, updatedAt, version, place: parentId, size: 0, contentType: '' });
const ofFile = ({ id, name, createdBy, updatedAt, version, folderId, size, contentType }: Schemas['FileView']): Entry => ({ kind: 'file', key: `file:${id}`, id, name, createdBy, updatedAt, version, place: folderId, size, contentType });

export interface Entries {
  readonly data: readonly Entry[] | undefined;
  /** Rows that were not asked for, since there are so many. */
  readonly left: number;
  readonly error: unknown;
  readonly refetch: () => void;
}

/** What is in a folder, or what a search finds. */
export function useEntries(folderId: string | null, q: string): Entries {
  const drive = useDrive();
  const folders = useQuery({ ...foldersIn(drive, folderId), enabled: q === '' });
  const files = useQuery(filesIn(drive, folderId, q));
  const found = q === '' ? folders.data : { rows: [], total: 0 };
  const isThere = found !== undefined && files.data !== undefined;
  return {
    data: isThere ? [...found.rows.map(ofFolder), ...files.data.rows.map(ofFile)] : undefined,
    left: isThere ? found.total - found.rows.length + files.data.total - files.data.rows.length : 0,
    error: (q === '' ? folders.error : null) ?? files.error,
    refetch: () => void drive.refresh(),
  };
}

export interface Crumb {
  readonly id: string;
  /** Undefined while it is looked for, and when the folder is not in this place any more. */
  readonly name: string | undefined;
}

/** The names of the folders on a path; the API tells them by the list that each is in. */
export function useCrumbs(path: readonly string[]): readonly Crumb[] {
  const drive = useDrive();
  const lists = useQueries({ queries: path.map((_id, depth) => foldersIn(drive, path[depth - 1] ?? null)) });
  return path.map((id, depth) => ({ id, name: lists[depth]?.data?.rows.find((folder) => folder.id === id)?.name }));
}

/** People of this Drive by their id; undefined for everybody but administrators of Drive, who alone may know them. */
export function usePeople(): ReadonlyMap<string, Schemas['UserView']> | undefined {
  const { client } = useDrive();
  const people: UseQueryResult<ReadonlyMap<string, Schemas['UserView']>> = useQuery({
    queryKey: ['people'],
    staleTime: 60_000,
    queryFn: async () => {
      const { rows } = await all<Schemas['UserView']>((offset) => client.GET('/users', { params: { query: { limit: STEP, page: offset / STEP + 1 } } }).then(({ data }) => (data ? { data } : {})));
      return new Map(rows.map((person) => [person.id, person]));
    },
  });
  return people.data;
}
