import { Center, Loader, Paper, Stack, Text, useComputedColorScheme } from '@mantine/core';
import { currentLanguage, EmptyState, ErrorState, Loaded, useParams, useTranslation, type AppInfo } from '@satellite/web-kit';
import { useDocumentTitle } from '@mantine/hooks';
import IconPlugOff from '@tabler/icons-react/dist/esm/icons/IconPlugOff.mjs';
import IconApi from '@tabler/icons-react/dist/esm/icons/IconApi.mjs';
import { Component, lazy, Suspense, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useMe } from '../session/me.js';
import { session } from '../session/session.js';
import { loadApp } from './load-app.js';
import { useApps } from './use-apps.js';

/** One app, below its own address; whatever it does wrong stays in here. */
export function AppPage() {
  const { slug } = useParams();
  const { t } = useTranslation('shell');
  const apps = useApps();
  return (
    <Loaded query={apps}>
      {(all) => {
        const app = all.find((one) => one.slug === slug);
        if (!app) return <EmptyState isPage icon={<IconPlugOff size={28} />} title={t('remote.unknown')}>{t('remote.unknownText')}</EmptyState>;
        if (app.remoteEntry === null) return <EmptyState isPage icon={<IconApi size={28} />} title={t('remote.noPage', { name: app.name })}>{t('remote.noPageText')}</EmptyState>;
        return <RemoteApp key={app.slug} app={app} />;
      }}
    </Loaded>
  );
}

function RemoteApp({ app }: { readonly app: AppInfo }) {
  const { t } = useTranslation('shell');
  const me = useMe();
  const colorScheme = useComputedColorScheme('light');
  const [attempt, setAttempt] = useState(0);
  useDocumentTitle(app.name);
  // Each attempt is a new component: React remembers the failure of the old one. The rest of `app` changes with every
  // look at the list and must not load it again.
  const Remote = useMemo(() => lazy(() => loadApp(app)), [app.slug, app.version, attempt]);
  const user = { id: me.id, email: me.email, firstName: me.firstName, lastName: me.lastName, organization: { id: me.organizationId, name: me.organization.name }, roles: me.roles, permissions: me.permissions };
  return (
    <Boundary key={attempt} fallback={(error) => <Stack maw={640} mx="auto" mt="xl"><ErrorState error={error} title={t('remote.failed', { name: app.name })} onRetry={() => setAttempt(attempt + 1)} /><Text size="sm" c="dimmed" ta="center">{t('remote.failedText')}</Text></Stack>}>
      <Suspense fallback={<Paper p="xl" bg="transparent"><Center mih={240}><Stack align="center"><Loader type="dots" /><Text c="dimmed" size="sm" role="status">{t('remote.opening', { name: app.name })}</Text></Stack></Center></Paper>}>
        <div data-app={app.slug}><Remote app={app} basePath={`/apps/${app.slug}`} shell={{ user, locale: currentLanguage(), colorScheme }} /></div>
        <Announce />
      </Suspense>
    </Boundary>
  );
}

/** Mounted after the remote, which has missed every announcement before. */
function Announce() {
  useEffect(() => session.announce(), []);
  return null;
}

class Boundary extends Component<{ readonly fallback: (error: unknown) => ReactNode; readonly children: ReactNode }, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    return 'error' in this.state ? this.props.fallback(this.state.error) : this.props.children;
  }
}
