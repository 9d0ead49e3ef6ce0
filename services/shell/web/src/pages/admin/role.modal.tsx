import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { ErrorState, notifyDone, useServerForm, useTranslation } from '@satellite/web-kit';
import { client } from '../../api/shell-api.js';
import { useFieldChecks } from '../auth/fields.js';

/** A new role begins without permissions; the matrix gives them. */
export function RoleModal({ opened, onClose, onDone }: { readonly opened: boolean; readonly onClose: () => void; readonly onDone: () => void }) {
  const { t } = useTranslation('shell');
  const { required } = useFieldChecks();
  const { form, busy, problem, onSubmit } = useServerForm({
    initialValues: { name: '', description: '' },
    validate: { name: required },
    fieldOf: (reason) => (reason.startsWith('roles.') ? 'name' : undefined),
    submit: async (body) => {
      await client.POST('/roles', { body });
      notifyDone(t('roles.made', { name: body.name }));
      form.reset();
      onDone();
      onClose();
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title={t('roles.new')} closeButtonProps={{ 'aria-label': t('kit:close') }}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          {problem !== undefined && <ErrorState error={problem} />}
          <TextInput label={t('roles.name')} data-autofocus {...form.getInputProps('name')} />
          <TextInput label={t('roles.description')} {...form.getInputProps('description')} />
          <Group justify="flex-end"><Button variant="default" onClick={onClose}>{t('kit:cancel')}</Button><Button type="submit" loading={busy}>{t('roles.create')}</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
