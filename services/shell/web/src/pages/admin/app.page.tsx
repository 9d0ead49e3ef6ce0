import { Alert, Anchor, Badge, Card, Code, Group, SimpleGrid, Stack, Switch, Table, Text, Title } from '@mantine/core';
import { AppIcon, formatTime, Link, Loaded, notifyError, Page, PageHeader, useParams, useTranslation } from '@satellite/web-kit';
import type { ReactNode } from 'react';
import { hooks, type Schemas } from '../../api/shell-api.js';
import { useCan } from '../../session/me.js';
import { AppHealth } from './app-health.js';
import { AppReport } from './app-report.js';
import { AppRollOut, RollOutNote } from './app-roll-out.js';
import { StatusBadge } from './status-badge.js';

type App = Schemas['AppView'];

/** One app of the registry: where it is, who manages it, what it declares, who may use it. */
export function AppDetailsPage() {
  const { id = '' } = useParams();
  const { t } = useTranslation('shell');
  const app = hooks.useQuery('get', '/admin/apps/{id}', { params: { path: { id } } }, { refetchInterval: 30_000 });
  return (
    <Page>
      <Anchor component={Link} to="/admin/apps" size="sm">{t('apps.back')}</Anchor>
      <Loaded query={app}>{({ data }) => <Details app={data} />}</Loaded>
    </Page>
  );
}

function Details({ app }: { readonly app: App }) {
  const { t } = useTranslation('shell');
  const { source } = app;
  return (
    <Stack gap="lg" mt="sm">
      <PageHeader title={app.name} description={<Group gap="xs"><Code>{app.slug}</Code><StatusBadge status={app.effectiveStatus} />{app.version !== null && <Badge variant="light" color="gray" tt="none">{app.version}</Badge>}</Group>} actions={<AppIcon app={app} size={48} />} />
      {app.managedBy === 'operator' && source && <Alert variant="light" title={t('apps.operatorTitle')}>{t('apps.operatorText', { object: `${source.namespace}/${source.name}`, generation: source.generation })}</Alert>}
      <AppReport app={app} />
      <AppHealth app={app} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Card>
          <Title order={2} size="h3" mb="sm">{t('apps.where')}</Title>
          <Facts rows={[[t('apps.apiUrl'), <Code key="api">{app.apiUrl}</Code>], [t('apps.uiUrl'), app.uiUrl === null ? '–' : <Code key="ui">{app.uiUrl}</Code>], [t('apps.category'), app.category ?? '–'], [t('apps.managedBy'), t(`apps.by_${app.managedBy}`)], [t('apps.changed'), formatTime(app.updatedAt)]]} />
        </Card>
        <Card>
          <Title order={2} size="h3" mb="sm">{t('apps.declares')}</Title>
          <Stack gap="xs">
            {app.permissions.map(({ code, description }) => <div key={code}><Code>{code}</Code> <Text span size="sm" c="dimmed">{description}</Text></div>)}
            {app.limitKeys.map(({ key, description }) => <div key={key}><Code>{key}</Code> <Text span size="sm" c="dimmed">{description}</Text></div>)}
            {app.permissions.length + app.limitKeys.length === 0 && <Text size="sm" c="dimmed">{t('apps.declaresNothing')}</Text>}
          </Stack>
        </Card>
      </SimpleGrid>
      <AppRollOut app={app} />
      <Organizations app={app} />
    </Stack>
  );
}

function Facts({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return <Table withRowBorders={false} verticalSpacing={4}><Table.Tbody>{rows.map(([name, value]) => <Table.Tr key={name}><Table.Th w={140} fw={600} c="dimmed" scope="row"><Text size="sm">{name}</Text></Table.Th><Table.Td><Text size="sm" component="div">{value}</Text></Table.Td></Table.Tr>)}</Table.Tbody></Table>;
}

function Organizations({ app }: { readonly app: App }) {
  const { t } = useTranslation('shell');
  const can = useCan();
  const organizations = hooks.useQuery('get', '/admin/apps/{id}/organizations', { params: { path: { id: app.id } } });
  const set = hooks.useMutation('put', '/admin/apps/{id}/organizations/{organizationId}', { onSettled: () => void organizations.refetch(), onError: (error) => notifyError(error) });
  return (
    <Card>
      <Title order={2} size="h3">{t('apps.organizations')}</Title>
      <Text size="sm" c="dimmed" mb="md">{t('apps.organizationsText')}</Text>
      <Loaded query={organizations}>
        {({ data }) => (
          <Stack gap="sm">
            {data.map((one) => (
              <Group key={one.organizationId} justify="space-between">
                <Group gap="sm"><Text size="sm" fw={600}>{one.organizationName}</Text><RollOutNote app={app} one={one} /></Group>
                <Switch checked={one.enabled} disabled={!can('apps:write') || set.isPending} aria-label={one.organizationName} onChange={(event) => set.mutate({ params: { path: { id: app.id, organizationId: one.organizationId } }, body: { enabled: event.currentTarget.checked } })} />
              </Group>
            ))}
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}
