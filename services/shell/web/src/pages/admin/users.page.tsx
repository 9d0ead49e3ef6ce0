import { Avatar, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { confirm, DataTable, EmptyState, formatDate, notifyDone, notifyError, Page, PageHeader, useTranslation, type Column, type RowAction } from '@satellite/web-kit';
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { useState } from 'react';
import { hooks, type Schemas } from '../../api/shell-api.js';
import { useCan, useMe } from '../../session/me.js';
import { SearchInput } from './search-input.js';
import { StatusBadge } from './status-badge.js';
import { useList } from './use-list.js';
import { InviteUserModal } from './user-invite.modal.js';
import { UserRolesModal } from './user-roles.modal.js';

type User = Schemas['UserView'];

/** The people of the organization. */
export function UsersPage() {
  const { t } = useTranslation('shell');
  const can = useCan();
  const list = useList({ sort: 'email', filterOf: (text) => ({ email: { contains: text } }) });
  const users = hooks.useQuery('get', '/users', { params: { query: list.query } });
  const roles = hooks.useQuery('get', '/roles', { params: { query: { limit: 100 } } }, { enabled: can('roles:list') });
  const [inviting, invite] = useDisclosure();
  const [changing, setChanging] = useState<User>();
  const names = new Map((roles.data?.data ?? []).map(({ id, name }) => [id, name]));
  const refresh = (): void => void users.refetch();
  const actions = useUserActions({ onChange: refresh, onRoles: setChanging });
  const inviteButton = can('users:write') && <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={invite.open}>{t('users.invite')}</Button>;
  return (
    <Page>
      <PageHeader title={t('users.title')} description={t('users.text')} actions={inviteButton} />
      <SearchInput value={list.text} onChange={list.setText} label={t('users.search')} />
      <DataTable
        label={t('users.title')} rows={users.data?.data} error={users.error} onRetry={refresh} columns={useUserColumns(names)} keyOf={({ id }) => id} nameOf={({ email }) => email} actions={actions}
        sort={list.sort} onSort={list.setSort} page={{ number: list.page, size: list.query.limit, total: users.data?.pagination.total ?? 0, onChange: list.setPage }}
        empty={<EmptyState icon={<IconUsers size={28} />} title={t(list.text === '' ? 'users.none' : 'users.nobody')} action={list.text === '' && inviteButton}>{t('users.noneText')}</EmptyState>}
      />
      <InviteUserModal opened={inviting} onClose={invite.close} roles={roles.data?.data ?? []} onDone={refresh} />
      {changing && <UserRolesModal user={changing} roles={roles.data?.data ?? []} onClose={() => setChanging(undefined)} onDone={refresh} />}
    </Page>
  );
}

function useUserColumns(roleNames: ReadonlyMap<string, string>): Column<User>[] {
  const { t } = useTranslation('shell');
  return [
    { key: 'name', title: t('users.name'), sort: 'email', cell: ({ firstName, lastName, email }) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar size={34} radius="xl" color="indigo" aria-hidden>{`${firstName.charAt(0)}${lastName.charAt(0)}`.toUpperCase()}</Avatar>
        <div><Text size="sm" fw={600}>{firstName} {lastName}</Text><Text size="xs" c="dimmed">{email}</Text></div>
      </Group>
    ) },
    { key: 'roles', title: t('users.roles'), wideOnly: true, cell: ({ roles }) => <Text size="sm">{roles.map((id) => roleNames.get(id) ?? '…').join(', ') || '–'}</Text> },
    { key: 'status', title: t('users.status'), cell: ({ status }) => <StatusBadge status={status} /> },
    { key: 'createdAt', title: t('users.since'), sort: 'createdAt', wideOnly: true, cell: ({ createdAt }) => formatDate(createdAt) },
  ];
}

function useUserActions({ onChange, onRoles }: { readonly onChange: () => void; readonly onRoles: (user: User) => void }): RowAction<User>[] {
  const { t } = useTranslation('shell');
  const can = useCan();
  const me = useMe();
  const failed = { onError: (error: unknown) => notifyError(error) };
  const update = hooks.useMutation('put', '/users/{id}', { ...failed, onSuccess: onChange });
  const remove = hooks.useMutation('delete', '/users/{id}', { ...failed, onSuccess: () => { notifyDone(t('users.removed')); onChange(); } });
  const setStatus = (user: User, status: User['status']): void => update.mutate({ params: { path: { id: user.id }, header: { 'If-Match': `"${user.version}"` } }, body: { status } });
  const suspend = async (user: User): Promise<void> => {
    if (await confirm({ title: t('users.suspendAsk', { name: user.email }), children: t('users.suspendText'), confirmLabel: t('users.suspend') })) setStatus(user, 'suspended');
  };
  const ask = async (user: User): Promise<void> => {
    if (await confirm({ title: t('users.removeAsk', { name: user.email }), children: t('users.removeText') })) remove.mutate({ params: { path: { id: user.id } } });
  };
  return [
    { label: t('users.changeRoles'), hidden: () => !can('users:write'), onClick: onRoles },
    { label: t('users.suspend'), hidden: ({ id, status }) => !can('users:write') || status !== 'active' || id === me.id, onClick: (user) => void suspend(user) },
    { label: t('users.activate'), hidden: ({ status }) => !can('users:write') || status !== 'suspended', onClick: (user) => setStatus(user, 'active') },
    { label: t('users.remove'), color: 'red', hidden: ({ id }) => !can('users:delete') || id === me.id, onClick: (user) => void ask(user) },
  ];
}
