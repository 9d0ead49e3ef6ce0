import { ownExchange, type AppInfo } from '@satellite/web-kit';
import { useQuery } from '@tanstack/react-query';
import { useApps } from '../../apps/use-apps.js';
import { hooks } from '../../api/shell-api.js';
import { useMe } from '../../session/me.js';
import { session } from '../../session/session.js';

/** Something that a new platform needs somebody to do. */
export interface Step {
  readonly name: 'password' | 'invite' | 'app' | 'file' | 'satellite';
  readonly done: boolean;
  readonly to: string;
  /** The app that it is done in. */
  readonly app?: string;
}

/** Asked anew whenever the guide is shown: one comes back to it after a step. */
const ANEW = { staleTime: 0 };
const NEW_PASSWORD = ['auth.change_password', 'auth.confirm_password_reset'];

/** What is done and what is not, as the platform's own records say; undefined until they have been read. */
export function useSteps(): readonly Step[] | undefined {
  const me = useMe();
  const apps = useApps();
  const filter = JSON.stringify({ action: { in: NEW_PASSWORD }, actorId: me.id, outcome: 'success' });
  const passwords = hooks.useQuery('get', '/admin/audit', { params: { query: { filter, limit: 1 } } }, ANEW);
  const usage = hooks.useQuery('get', '/subscriptions/usage', {}, ANEW);
  const registry = hooks.useQuery('get', '/admin/apps', { params: { query: { limit: 100 } } }, ANEW);
  const storage = apps.data?.find(({ metadata }) => metadata.origin === 'platform' && metadata.permissions?.some((code) => code.endsWith('.files:write')) === true);
  const files = useFileCount(storage);
  if (!passwords.data || !usage.data || !registry.data || !apps.data || (storage && files === undefined)) return undefined;
  const used = (key: string): number => usage.data.data.find(({ limitKey }) => limitKey === key)?.used ?? 0;
  return [
    { name: 'password', done: passwords.data.pagination.total > 0, to: '/account/security' },
    { name: 'invite', done: used('users') > 1, to: '/admin/users' },
    { name: 'app', done: used('apps') > 0, to: '/admin/apps' },
    ...(storage ? [{ name: 'file' as const, done: files !== 0, to: `/apps/${storage.slug}`, app: storage.name }] : []),
    { name: 'satellite', done: registry.data.data.some(({ metadata }) => metadata['origin'] === undefined), to: '/admin/apps' },
  ];
}

/** How many files the app holds; the Shell itself knows nothing of files. */
function useFileCount(app: AppInfo | undefined): number | undefined {
  const { data, isError } = useQuery({
    queryKey: ['first-run', 'files', app?.slug],
    enabled: app !== undefined,
    ...ANEW,
    retry: false,
    queryFn: async () => {
      const { accessToken } = await ownExchange(`${app?.apiUrl}/auth/exchange`)(await session.get());
      const answer = await fetch(`${app?.apiUrl}/files?limit=1`, { headers: { authorization: `Bearer ${accessToken}` } });
      return answer.ok ? ((await answer.json()) as { readonly total: number }).total : 0;
    },
  });
  return isError ? 0 : data; // an app that is away costs its own step only
}
