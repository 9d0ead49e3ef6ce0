import { Badge, Button, Checkbox, Group, Paper, Select, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { confirm, Loaded, notifyDone, notifyError, Page, PageHeader, useTranslation } from '@satellite/web-kit';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import { useState } from 'react';
import { hooks, type Schemas } from '../../api/shell-api.js';
import { useCan, useMe } from '../../session/me.js';
import { groupsOf, type PermissionGroup } from './permission-groups.js';
import { RoleModal } from './role.modal.js';

type Role = Schemas['RoleView'];

/** Roles beside each other, and what each may do: a matrix of permissions. */
export function RolesPage() {
  const { t } = useTranslation('shell');
  const can = useCan();
  const roles = hooks.useQuery('get', '/roles', { params: { query: { limit: 100, sort: 'name' } } });
  const permissions = hooks.useQuery('get', '/permissions', {}, { enabled: can('permissions:list') });
  const [making, make] = useDisclosure();
  return (
    <Page>
      <PageHeader title={t('roles.title')} description={t('roles.text')} actions={can('roles:write') && <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={make.open}>{t('roles.new')}</Button>} />
      <Loaded query={roles}>{({ data }) => <Matrix roles={data} groups={groupsOf(permissions.data?.data ?? [], data)} onChange={() => void roles.refetch()} />}</Loaded>
      <RoleModal opened={making} onClose={make.close} onDone={() => void roles.refetch()} />
    </Page>
  );
}

function Matrix({ roles, groups, onChange }: { readonly roles: readonly Role[]; readonly groups: readonly PermissionGroup[]; readonly onChange: () => void }) {
  const { t } = useTranslation('shell');
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = chosen === null ? roles.slice(0, 4) : roles.filter(({ id }) => id === chosen);
  return (
    <Stack>
      <Select label={t('roles.show')} data={roles.map(({ id, name }) => ({ value: id, label: name }))} value={chosen} onChange={setChosen} placeholder={t('roles.firstFour')} clearable maw={280} clearButtonProps={{ 'aria-label': t('roles.firstFour') }} />
      <Paper withBorder radius="lg" style={{ overflow: 'hidden' }}>
        <Table.ScrollContainer minWidth={360}>
          <Table aria-label={t('roles.title')} verticalSpacing={6}>
            <Table.Thead><Table.Tr><Table.Th>{t('roles.permission')}</Table.Th>{shown.map((role) => <Table.Th key={role.id} ta="center"><RoleHead role={role} onChange={onChange} /></Table.Th>)}</Table.Tr></Table.Thead>
            <Table.Tbody>{groups.map((group) => <GroupRows key={group.name} group={group} roles={shown} onChange={onChange} />)}</Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
    </Stack>
  );
}

function RoleHead({ role, onChange }: { readonly role: Role; readonly onChange: () => void }) {
  const { t } = useTranslation('shell');
  const can = useCan();
  const remove = hooks.useMutation('delete', '/roles/{id}', { onSuccess: () => { notifyDone(t('roles.removed')); onChange(); }, onError: (error) => notifyError(error) });
  const ask = async (): Promise<void> => {
    if (await confirm({ title: t('roles.removeAsk', { name: role.name }), children: t('roles.removeText') })) remove.mutate({ params: { path: { id: role.id } } });
  };
  return (
    <Stack gap={4} align="center">
      <Text size="sm" fw={700}>{role.name}</Text>
      {role.system ? <Badge size="xs" variant="light" color="gray" tt="none">{t('roles.system')}</Badge> : can('roles:delete') && <Button size="compact-xs" variant="subtle" color="red" onClick={() => void ask()}>{t('users.remove')}</Button>}
    </Stack>
  );
}

function GroupRows({ group, roles, onChange }: { readonly group: PermissionGroup; readonly roles: readonly Role[]; readonly onChange: () => void }) {
  return (
    <>
      <Table.Tr bg="var(--platform-canvas)"><Table.Th colSpan={roles.length + 1} scope="colgroup"><Text size="xs" fw={700} c="dimmed" tt="uppercase" lts={0.4}>{group.name}</Text></Table.Th></Table.Tr>
      {group.permissions.map(({ code, description }) => (
        <Table.Tr key={code}>
          <Table.Td><Text size="sm">{description || code}</Text><Text size="xs" c="dimmed" ff="monospace">{code}</Text></Table.Td>
          {roles.map((role) => <Table.Td key={role.id} ta="center"><Cell role={role} code={code} onChange={onChange} /></Table.Td>)}
        </Table.Tr>
      ))}
    </>
  );
}

/** Nobody gives what they do not hold; the server says so too. */
function Cell({ role, code, onChange }: { readonly role: Role; readonly code: string; readonly onChange: () => void }) {
  const can = useCan();
  const { permissions } = useMe();
  const set = hooks.useMutation('post', '/roles/{id}/permissions', { onSuccess: onChange, onError: (error) => { notifyError(error); onChange(); } });
  const has = role.permissions.includes(code);
  const toggle = (on: boolean): void => set.mutate({ params: { path: { id: role.id }, header: { 'If-Match': `"${role.version}"` } }, body: { permissions: on ? [...role.permissions, code] : role.permissions.filter((one) => one !== code) } });
  return <Group justify="center"><Checkbox aria-label={`${role.name}: ${code}`} checked={has} disabled={role.system || !can('roles:write') || !permissions.includes(code) || set.isPending} onChange={(event) => toggle(event.currentTarget.checked)} /></Group>;
}

