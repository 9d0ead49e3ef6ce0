import type { QueryClient } from '@tanstack/react-query';
import { askAnew, createApi, createQueryClient, ownExchange, TokenClient, type Api } from '@satellite/web-kit';
import { createContext, use } from 'react';
import type { components, paths } from '../generated/schema.js';
import { UploadQueue } from '../uploads/upload-queue.js';

/** Shapes of Drive's API by their names in its OpenAPI document. */
export type Schemas = components['schemas'];

/** Drive, as one person reaches it. */
interface Connection extends Api<paths> {
  readonly apiUrl: string;
  readonly queryClient: QueryClient;
  readonly uploads: UploadQueue;
  /** After a change: everything on the screen is asked for again. */
  readonly refresh: () => Promise<void>;
}

export interface Drive extends Connection {
  /** Where the Shell shows Drive. */
  readonly basePath: string;
}

const tokens = new Map<string, TokenClient>();
let current: { readonly key: string; readonly connection: Connection } | undefined;

/** Made once: uploads go on while other apps are on the screen. What one person saw is not kept for the next. */
export function driveAt(apiUrl: string, userId: string): Connection {
  const key = `${apiUrl} ${userId}`;
  if (current?.key !== key) {
    current?.connection.uploads.cancelAll();
    current = { key, connection: connect(apiUrl) };
  }
  return current.connection;
}

function connect(apiUrl: string): Connection {
  const source = tokens.get(apiUrl) ?? new TokenClient(ownExchange(`${apiUrl}/auth/exchange`));
  tokens.set(apiUrl, source);
  const queryClient = createQueryClient();
  // bytes of a file never change, and one may be watching them; what was in a folder that is gone cannot be asked for
  const refresh = (): Promise<void> => askAnew(queryClient, { predicate: ({ queryKey }) => queryKey[0] !== 'bytes' && queryKey[0] !== 'contents' });
  return { ...createApi<paths>(apiUrl, source), apiUrl, queryClient, refresh, uploads: new UploadQueue(`${apiUrl}/files/upload`, source, () => void refresh()) };
}

export const DriveContext = createContext<Drive | undefined>(undefined);

export function useDrive(): Drive {
  const drive = use(DriveContext);
  if (drive === undefined) throw new Error('used outside of Drive');
  return drive;
}
