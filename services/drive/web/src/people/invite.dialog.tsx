import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { ErrorState, notifyDone, useServerForm, useTranslation } from '@satellite/web-kit';
import { useDrive, type Schemas } from '../api/drive.js';

/** Lets somebody in before they come: whoever has the address in the Shell gets the role. */
export function InviteDialog({ opened, onClose, roles }: { readonly opened: boolean; readonly onClose: () => void; readonly roles: readonly Schemas['RoleView'][] }) {
  const { t } = useTranslation('drive');
  const { client, refresh } = useDrive();
  const { form, busy, problem, onSubmit } = useServerForm({
    initialValues: { email: '', name: '', roleId: 'editor' },
    validate: { email: (email: string) => (/^\S+@\S+\.\S+$/.test(email.trim()) ? null : t('people.badEmail')) },
    fieldOf: (reason) => (reason === 'users.email_in_use' ? 'email' : undefined),
    submit: async ({ email, name, roleId }) => {
      await client.POST('/users', { body: { email: email.trim(), roleId, ...(name.trim() !== '' && { name: name.trim() }) } });
      await refresh();
      notifyDone(t('people.invited', { email: email.trim() }));
      form.reset();
      onClose();
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title={t('people.invite')} closeButtonProps={{ 'aria-label': t('kit:close') }}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          {problem !== undefined && <ErrorState error={problem} />}
          <TextInput label={t('people.email')} description={t('people.emailHint')} type="email" data-autofocus {...form.getInputProps('email')} />
          <TextInput label={t('people.name')} {...form.getInputProps('name')} />
          <Select label={t('people.role')} allowDeselect={false} data={roles.map(({ id, name }) => ({ value: id, label: t(`role.${id}`, { defaultValue: name }) }))} {...form.getInputProps('roleId')} />
          <Group justify="flex-end"><Button variant="default" onClick={onClose}>{t('kit:cancel')}</Button><Button type="submit" loading={busy}>{t('people.invite')}</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
