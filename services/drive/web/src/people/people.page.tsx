import { Avatar, Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { confirm, DataTable, EmptyState, formatDate, Link, notifyDone, notifyError, Page, PageHeader, useTranslation, type Column, type RowAction } from '@satellite/web-kit';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { useState } from 'react';
import { useDrive, type Schemas } from '../api/drive.js';
import { InviteDialog } from './invite.dialog.js';
import { RolesDialog } from './roles.dialog.js';

type Person = Schemas['UserView'];

const SIZE = 20;

/** Who may use this Drive, and as what; for its administrators. */
export function PeoplePage() {
  const { t } = useTranslation('drive');
  const { basePath, hooks } = useDrive();
  const [page, setPage] = useState(1);
  const people = hooks.useQuery('get', '/users', { params: { query: { page, limit: SIZE } } });
  const roles = hooks.useQuery('get', '/users/roles');
  const [inviting, invite] = useDisclosure();
  const [changing, setChanging] = useState<Person>();
  const actions = usePersonActions(setChanging);
  const buttons = (
    <>
      <Button variant="subtle" component={Link} to={basePath} leftSection={<IconArrowLeft size={16} aria-hidden />}>{t('toFiles')}</Button>
      {roles.data && <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={invite.open}>{t('people.invite')}</Button>}
    </>
  );
  return (
    <Page>
      <PageHeader title={t('people.heading')} description={t('people.text')} actions={buttons} />
      <DataTable
        label={t('people.heading')} rows={people.data?.data} error={people.error} onRetry={() => void people.refetch()} columns={useColumns()} keyOf={({ id }) => id} nameOf={({ email }) => email} actions={actions}
        page={{ number: page, size: SIZE, total: people.data?.total ?? 0, onChange: setPage }} empty={<EmptyState icon={<IconUsers size={28} />} title={t('people.none')} />}
      />
      <InviteDialog opened={inviting} onClose={invite.close} roles={roles.data?.data ?? []} />
      <RolesDialog key={changing?.id} person={changing} roles={roles.data?.data ?? []} onClose={() => setChanging(undefined)} />
    </Page>
  );
}

function useColumns(): Column<Person>[] {
  const { t } = useTranslation('drive');
  return [
    { key: 'name', title: t('people.person'), cell: ({ name, email, roles }) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar size={34} radius="xl" color="indigo" aria-hidden>{(name ?? email).charAt(0).toUpperCase()}</Avatar>
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>{name ?? email}</Text>
          {name !== null && <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>{email}</Text>}
          <Text size="xs" c="dimmed" hiddenFrom="sm">{roles.map((role) => t(`role.${role.id}`)).join(', ')}</Text>
        </div>
      </Group>
    ) },
    { key: 'roles', title: t('people.roles'), wideOnly: true, cell: ({ roles }) => <Text size="sm">{roles.map(({ id, name }) => t(`role.${id}`, { defaultValue: name })).join(', ') || '–'}</Text> },
    { key: 'status', title: t('people.status'), cell: ({ status }) => <Badge variant="light" color={status === 'active' ? 'teal' : 'red'} tt="none">{t(`people.status_${status}`)}</Badge> },
    { key: 'createdAt', title: t('people.since'), wideOnly: true, cell: ({ createdAt }) => formatDate(createdAt) },
  ];
}

function usePersonActions(onRoles: (person: Person) => void): RowAction<Person>[] {
  const { t } = useTranslation('drive');
  const { hooks, refresh } = useDrive();
  const update = hooks.useMutation('put', '/users/{id}', {
    onError: (error) => notifyError(error),
    onSuccess: ({ data: { status, email } }) => {
      notifyDone(t(`people.done_${status}`, { name: email }));
      void refresh();
    },
  });
  const set = ({ id }: Person, status: Person['status']): void => update.mutate({ params: { path: { id } }, body: { status } });
  const suspend = async (person: Person): Promise<void> => {
    if (await confirm({ title: t('people.suspendAsk', { name: person.email }), children: t('people.suspendText'), confirmLabel: t('people.suspend') })) set(person, 'suspended');
  };
  return [
    { label: t('people.changeRoles'), onClick: onRoles },
    { label: t('people.suspend'), color: 'var(--mantine-color-error)', hidden: ({ status }) => status !== 'active', onClick: (person) => void suspend(person) },
    { label: t('people.activate'), hidden: ({ status }) => status !== 'suspended', onClick: (person) => set(person, 'active') },
  ];
}
