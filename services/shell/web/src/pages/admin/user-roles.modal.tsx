import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { ErrorState, notifyDone, useTranslation } from '@satellite/web-kit';
import { useState } from 'react';
import { client, type Schemas } from '../../api/shell-api.js';

/** Which roles somebody has; what changed is given and taken one by one. */
export function UserRolesModal({ user, roles, onClose, onDone }: { readonly user: Schemas['UserView']; readonly roles: readonly Schemas['RoleView'][]; readonly onClose: () => void; readonly onDone: () => void }) {
  const { t } = useTranslation('shell');
  const [chosen, setChosen] = useState<string[]>([...user.roles]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const added = chosen.filter((id) => !user.roles.includes(id));
      if (added.length > 0) await client.POST('/users/{id}/roles', { params: { path: { id: user.id } }, body: { roleIds: added } });
      for (const roleId of user.roles.filter((id) => !chosen.includes(id))) await client.DELETE('/users/{id}/roles/{roleId}', { params: { path: { id: user.id, roleId } } });
      notifyDone(t('account.saved'));
      onClose();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
      onDone();
    }
  };
  return (
    <Modal opened onClose={onClose} title={t('users.rolesOf', { name: `${user.firstName} ${user.lastName}` })} closeButtonProps={{ 'aria-label': t('kit:close') }}>
      <Stack>
        {problem !== undefined && <ErrorState error={problem} />}
        <Checkbox.Group value={chosen} onChange={setChosen} label={t('users.roles')}>
          <Stack gap="sm" mt="xs">{roles.map(({ id, name, description }) => <Checkbox key={id} value={id} label={name} description={<Text component="span" size="xs">{description}</Text>} />)}</Stack>
        </Checkbox.Group>
        <Group justify="flex-end"><Button variant="default" onClick={onClose}>{t('kit:cancel')}</Button><Button loading={busy} onClick={() => void save()}>{t('kit:save')}</Button></Group>
      </Stack>
    </Modal>
  );
}
