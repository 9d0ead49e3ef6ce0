import { Badge, Text } from '@mantine/core';
import { confirm, DataTable, EmptyState, formatDate, notifyDone, notifyError, Page, PageHeader, useTranslation, type Column, type RowAction } from '@satellite/web-kit';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import { useState } from 'react';
import { hooks, type Schemas } from '../../api/shell-api.js';
import { useCan } from '../../session/me.js';
import { OrganizationPlanModal } from './organization-plan.modal.js';
import { SearchInput } from './search-input.js';
import { StatusBadge } from './status-badge.js';
import { useList } from './use-list.js';

type Organization = Schemas['OrganizationView'];

/** Every organization that the person may see. */
export function OrganizationsPage() {
  const { t } = useTranslation('shell');
  const list = useList({ sort: 'name', filterOf: (text) => ({ name: { contains: text } }) });
  const organizations = hooks.useQuery('get', '/organizations', { params: { query: list.query } });
  const [changing, setChanging] = useState<Organization>();
  const refresh = (): void => void organizations.refetch();
  const columns: Column<Organization>[] = [
    { key: 'name', title: t('organizations.name'), sort: 'name', cell: ({ name, slug }) => <div><Text size="sm" fw={600}>{name}</Text><Text size="xs" c="dimmed">{slug}</Text></div> },
    { key: 'plan', title: t('organizations.plan'), cell: ({ subscriptionPlan }) => <Badge variant="light" color="indigo" tt="none">{subscriptionPlan}</Badge> },
    { key: 'status', title: t('users.status'), cell: ({ status }) => <StatusBadge status={status} /> },
    { key: 'createdAt', title: t('users.since'), sort: 'createdAt', wideOnly: true, cell: ({ createdAt }) => formatDate(createdAt) },
  ];
  return (
    <Page>
      <PageHeader title={t('organizations.title')} description={t('organizations.text')} />
      <SearchInput value={list.text} onChange={list.setText} label={t('organizations.search')} />
      <DataTable
        label={t('organizations.title')} rows={organizations.data?.data} error={organizations.error} onRetry={refresh} columns={columns} keyOf={({ id }) => id} nameOf={({ name }) => name} actions={useActions(refresh, setChanging)}
        sort={list.sort} onSort={list.setSort} page={{ number: list.page, size: list.query.limit, total: organizations.data?.pagination.total ?? 0, onChange: list.setPage }}
        empty={<EmptyState icon={<IconBuilding size={28} />} title={t('organizations.none')} />}
      />
      {changing && <OrganizationPlanModal organization={changing} onClose={() => setChanging(undefined)} onDone={refresh} />}
    </Page>
  );
}

function useActions(refresh: () => void, onPlan: (organization: Organization) => void): RowAction<Organization>[] {
  const { t } = useTranslation('shell');
  const can = useCan();
  const update = hooks.useMutation('put', '/organizations/{id}', { onSuccess: () => { notifyDone(t('account.saved')); refresh(); }, onError: (error) => notifyError(error) });
  const setStatus = ({ id, version }: Organization, status: Organization['status']): void => update.mutate({ params: { path: { id }, header: { 'If-Match': `"${version}"` } }, body: { status } });
  const suspend = async (organization: Organization): Promise<void> => {
    if (await confirm({ title: t('organizations.suspendAsk', { name: organization.name }), children: t('organizations.suspendText'), confirmLabel: t('users.suspend') })) setStatus(organization, 'suspended');
  };
  return [
    { label: t('organizations.changePlan'), hidden: () => !can('subscriptions:admin'), onClick: onPlan },
    { label: t('users.suspend'), color: 'red', hidden: ({ status, type }) => !can('organizations:write') || status !== 'active' || type === 'platform', onClick: (organization) => void suspend(organization) },
    { label: t('users.activate'), hidden: ({ status }) => !can('organizations:write') || status !== 'suspended', onClick: (organization) => setStatus(organization, 'active') },
  ];
}
