import { Badge, Button, Card, Group, Kbd, SimpleGrid, Text, Title } from '@mantine/core';
import { AppIcon, EmptyState, Link, Loaded, Page, PageHeader, useTranslation, type AppInfo } from '@satellite/web-kit';
import IconRocket from '@tabler/icons-react/dist/esm/icons/IconRocket.mjs';
import { lazy, Suspense } from 'react';
import { useApps } from '../apps/use-apps.js';
import { PALETTE_KEYS } from '../layout/palette.js';
import { useCan, useMe } from '../session/me.js';

// Its words and questions are for one person, and for one day.
const FirstRun = lazy(() => import('./first-run/first-run.js').then((module) => ({ default: module.FirstRun })));

/** Every app that the person can open. */
export function LaunchpadPage() {
  const { t } = useTranslation('shell');
  const me = useMe();
  const can = useCan();
  const apps = useApps();
  const hour = new Date().getHours();
  const greeting = hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';
  const [before, after] = t('launchpad.hint', { keys: '|' }).split('|');
  return (
    <Page>
      <PageHeader title={t(`launchpad.${greeting}`, { name: me.firstName })} description={<>{before}<Kbd size="xs">{PALETTE_KEYS}</Kbd>{after}</>} />
      {can('apps:write') && <Suspense><FirstRun /></Suspense>}
      <Loaded query={apps}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={<IconRocket size={28} />} title={t('launchpad.none')} {...(can('apps:list') && { action: <Button component={Link} to="/admin/apps">{t('launchpad.noneAdmin')}</Button> })}>{t('launchpad.noneText', { organization: me.organization.name })}</EmptyState>
          ) : (
            <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 4 }} spacing="md">{all.map((app) => <AppCard key={app.slug} app={app} />)}</SimpleGrid>
          )
        }
      </Loaded>
    </Page>
  );
}

function AppCard({ app }: { readonly app: AppInfo }) {
  const { t } = useTranslation('shell');
  return (
    <Card component={Link} to={`/apps/${app.slug}`} className="app-card">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <AppIcon app={app} />
        <Group gap={6} justify="flex-end">
          {app.status === 'degraded' && <Badge variant="light" color="orange" tt="none" title={t('launchpad.degradedText')}>{t('launchpad.degraded')}</Badge>}
          {app.remoteEntry === null && <Badge variant="light" color="gray">API</Badge>}
        </Group>
      </Group>
      <Title order={2} size="h3" mt="md">{app.name}</Title>
      <Text size="sm" c="dimmed" mt={4} lineClamp={3}>{app.description ?? (app.remoteEntry === null ? t('remote.noPageText') : app.category)}</Text>
    </Card>
  );
}
