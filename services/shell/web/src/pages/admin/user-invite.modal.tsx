import { Button, Group, Modal, MultiSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { ErrorState, notifyDone, useServerForm, useTranslation } from '@satellite/web-kit';
import { client, type Schemas } from '../../api/shell-api.js';
import { useFieldChecks } from '../auth/fields.js';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly roles: readonly Schemas['RoleView'][];
  readonly onDone: () => void;
}

const FIELDS: Readonly<Record<string, 'email' | 'username'>> = { 'users.email_in_use': 'email', 'users.username_in_use': 'username' };

/** Without a password the person gets a link by mail to choose one. */
export function InviteUserModal({ opened, onClose, roles, onDone }: Props) {
  const { t } = useTranslation('shell');
  const { required, email } = useFieldChecks();
  const { form, busy, problem, onSubmit } = useServerForm({
    initialValues: { firstName: '', lastName: '', email: '', username: '', roleIds: [] as string[] },
    validate: { firstName: required, lastName: required, email, username: required },
    fieldOf: (reason) => FIELDS[reason],
    submit: async (body) => {
      await client.POST('/users', { body });
      notifyDone(t('users.invited', { email: body.email }));
      form.reset();
      onDone();
      onClose();
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title={t('users.invite')} closeButtonProps={{ 'aria-label': t('kit:close') }}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          {problem !== undefined && <ErrorState error={problem} />}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label={t('auth.firstName')} data-autofocus {...form.getInputProps('firstName')} />
            <TextInput label={t('auth.lastName')} {...form.getInputProps('lastName')} />
          </SimpleGrid>
          <TextInput label={t('auth.email')} description={t('users.inviteHint')} type="email" {...form.getInputProps('email')} />
          <TextInput label={t('auth.username')} description={t('auth.usernameHint')} {...form.getInputProps('username')} />
          <MultiSelect label={t('users.roles')} data={roles.map(({ id, name }) => ({ value: id, label: name }))} {...form.getInputProps('roleIds')} />
          <Group justify="flex-end"><Button variant="default" onClick={onClose}>{t('kit:cancel')}</Button><Button type="submit" loading={busy}>{t('users.sendInvite')}</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
