import { Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { AppIcon, confirm, DataTable, EmptyState, notifyDone, notifyError, Page, PageHeader, useNavigate, useTranslation, type Column, type RowAction } from '@satellite/web-kit';
import IconApps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { hooks, type Schemas } from '../../api/shell-api.js';
import { useCan } from '../../session/me.js';
import { RegisterRemoteModal } from './app-register.modal.js';
import { SearchInput } from './search-input.js';
import { StatusBadge } from './status-badge.js';
import { useList } from './use-list.js';

type App = Schemas['AppView'];

/** The registry: every app, who manages it, and whether it is well. */
export function AppsPage() {
  const { t } = useTranslation('shell');
  const can = useCan();
  const navigate = useNavigate();
  const list = useList({ sort: 'name', filterOf: (text) => ({ name: { contains: text } }) });
  const apps = hooks.useQuery('get', '/admin/apps', { params: { query: list.query } }, { refetchInterval: 15_000 });
  const [registering, register] = useDisclosure();
  const refresh = (): void => void apps.refetch();
  const columns: Column<App>[] = [
    { key: 'name', title: t('apps.name'), sort: 'name', cell: (app) => <Group gap="sm" wrap="nowrap"><AppIcon app={app} size={34} /><div><Text size="sm" fw={600}>{app.name}</Text><Text size="xs" c="dimmed" ff="monospace">{app.slug}</Text></div></Group> },
    { key: 'status', title: t('users.status'), cell: ({ effectiveStatus }) => <StatusBadge status={effectiveStatus} /> },
    { key: 'version', title: t('apps.version'), wideOnly: true, cell: ({ version }) => version ?? '–' },
    { key: 'managedBy', title: t('apps.managedBy'), wideOnly: true, cell: ({ managedBy }) => <Badge variant="light" color="gray" tt="none">{t(`apps.by_${managedBy}`)}</Badge> },
  ];
  const add = can('apps:write') && <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={register.open}>{t('apps.register')}</Button>;
  return (
    <Page>
      <PageHeader title={t('apps.title')} description={t('apps.text')} actions={add} />
      <SearchInput value={list.text} onChange={list.setText} label={t('apps.search')} />
      <DataTable
        label={t('apps.title')} rows={apps.data?.data} error={apps.error} onRetry={refresh} columns={columns} keyOf={({ id }) => id} nameOf={({ name }) => name} onOpen={({ id }) => void navigate(`/admin/apps/${id}`)} actions={useAppActions(refresh)}
        sort={list.sort} onSort={list.setSort} page={{ number: list.page, size: list.query.limit, total: apps.data?.pagination.total ?? 0, onChange: list.setPage }}
        empty={<EmptyState icon={<IconApps size={28} />} title={t('apps.none')} action={add}>{t('apps.noneText')}</EmptyState>}
      />
      <RegisterRemoteModal opened={registering} onClose={register.close} onDone={refresh} />
    </Page>
  );
}

function useAppActions(refresh: () => void): RowAction<App>[] {
  const { t } = useTranslation('shell');
  const can = useCan();
  const navigate = useNavigate();
  const remove = hooks.useMutation('delete', '/admin/apps/{id}', { onSuccess: () => { notifyDone(t('apps.removed')); refresh(); }, onError: (error) => notifyError(error) });
  const ask = async ({ id, name }: App): Promise<void> => {
    if (await confirm({ title: t('apps.removeAsk', { name }), children: t('apps.removeText') })) remove.mutate({ params: { path: { id } } });
  };
  return [
    { label: t('apps.details'), onClick: ({ id }) => void navigate(`/admin/apps/${id}`) },
    { label: t('users.remove'), color: 'red', hidden: ({ managedBy }) => !can('apps:delete') || managedBy === 'operator', onClick: (app) => void ask(app) },
  ];
}
