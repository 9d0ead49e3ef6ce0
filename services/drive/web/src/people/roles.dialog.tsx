import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { ErrorState, notifyDone, useTranslation } from '@satellite/web-kit';
import { useState } from 'react';
import { useDrive, type Schemas } from '../api/drive.js';
import { Frame } from '../dialogs/frame.js';

/** Which roles somebody has. What is new is given before what is old is taken: nobody is without a role in between. */
export function RolesDialog({ person, roles, onClose }: { readonly person: Schemas['UserView'] | undefined; readonly roles: readonly Schemas['RoleView'][]; readonly onClose: () => void }) {
  const { t } = useTranslation('drive');
  const { client, refresh } = useDrive();
  const before = person?.roles.map(({ id }) => id) ?? [];
  const [chosen, setChosen] = useState<string[]>(before);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  if (person === undefined) return null;
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      for (const roleId of chosen.filter((id) => !before.includes(id))) await client.POST('/users/{id}/roles', { params: { path: { id: person.id } }, body: { roleId } });
      for (const roleId of before.filter((id) => !chosen.includes(id))) await client.DELETE('/users/{id}/roles/{roleId}', { params: { path: { id: person.id, roleId } } });
      notifyDone(t('people.rolesDone', { name: person.email }));
      onClose();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
      await refresh();
    }
  };
  return (
    <Frame title={t('people.rolesOf', { name: person.name ?? person.email })} onClose={onClose}>
      <Stack>
        {problem !== undefined && <ErrorState error={problem} />}
        <Checkbox.Group value={chosen} onChange={setChosen} label={t('people.roles')}>
          <Stack gap="sm" mt="xs">{roles.map(({ id, name, description }) => <Checkbox key={id} value={id} label={t(`role.${id}`, { defaultValue: name })} description={<Text component="span" size="xs">{t(`role.${id}Text`, { defaultValue: description })}</Text>} />)}</Stack>
        </Checkbox.Group>
        <Group justify="flex-end"><Button variant="default" onClick={onClose}>{t('kit:cancel')}</Button><Button loading={busy} disabled={chosen.length === 0} onClick={() => void save()}>{t('kit:save')}</Button></Group>
      </Stack>
    </Frame>
  );
}
