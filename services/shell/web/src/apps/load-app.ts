import { getInstance } from '@module-federation/runtime';
import { errorOf, type AppInfo, type RemoteProps } from '@satellite/web-kit';
import type { ComponentType } from 'react';

/** What a remote exposes as `./App`. */
export interface RemoteModule {
  readonly default: ComponentType<RemoteProps>;
}

/** An entry that never answers would be waited for without end. */
const LIMIT_MS = 8000;

export class AppTimeout extends Error {}
export class NoAppExposed extends Error {}

const loaded = new Map<string, Promise<RemoteModule>>();
const registered = new Set<string>();

/** The code of an app, loaded once for each version; a failure is not remembered, so that one can try again. */
export function loadApp(app: AppInfo): Promise<RemoteModule> {
  const key = `${app.slug}@${app.version ?? ''}`;
  const known = loaded.get(key);
  if (known) return known;
  const loading = load(app);
  loaded.set(key, loading);
  loading.catch(() => loaded.delete(key));
  return loading;
}

async function load({ slug, name, version, remoteEntry }: AppInfo): Promise<RemoteModule> {
  const runtime = getInstance();
  if (runtime === null || remoteEntry === null) throw new NoAppExposed(`${name} has no front-end.`);
  const entry = new URL(remoteEntry, location.href);
  // The same address is cached for the life of the page: a new version needs another one.
  if (version !== null) entry.searchParams.set('v', version);
  runtime.registerRemotes([{ name: slug, entry: entry.href, type: 'module' }], { force: registered.has(slug) });
  registered.add(slug);
  const module = await inTime(runtime.loadRemote<RemoteModule>(`${slug}/App`), `${name} did not answer within ${LIMIT_MS / 1000} seconds.`).catch(async (error: unknown) => {
    throw (error instanceof AppTimeout ? undefined : await refusalOf(entry)) ?? error;
  });
  if (module?.default === undefined) throw new NoAppExposed(`${name} exposes no ./App.`);
  return module;
}

/** What the server says about an entry that cannot be loaded, with the id of the request: the browser tells neither. */
async function refusalOf(entry: URL): Promise<unknown> {
  const answer = await fetch(entry).catch(() => undefined);
  return answer === undefined || answer.ok ? undefined : errorOf(answer);
}

function inTime<T>(work: Promise<T>, message: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new AppTimeout(message)), LIMIT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
