import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { ErrorState, notifyDone, useServerForm, useTranslation } from '@satellite/web-kit';
import { client } from '../../api/shell-api.js';
import { useFieldChecks } from '../auth/fields.js';

/** Registers an app from the description that it serves beside its front-end. */
export function RegisterRemoteModal({ opened, onClose, onDone }: { readonly opened: boolean; readonly onClose: () => void; readonly onDone: () => void }) {
  const { t } = useTranslation('shell');
  const { required } = useFieldChecks();
  const { form, busy, problem, onSubmit } = useServerForm({
    initialValues: { uiUrl: '' },
    validate: { uiUrl: required },
    submit: async (body) => {
      const { data } = await client.POST('/admin/apps/register-remote', { body });
      notifyDone(t('apps.registered', { name: data?.data.name }));
      form.reset();
      onDone();
      onClose();
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title={t('apps.register')} closeButtonProps={{ 'aria-label': t('kit:close') }}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <Text size="sm" c="dimmed">{t('apps.registerText')}</Text>
          {problem !== undefined && <ErrorState error={problem} />}
          <TextInput label={t('apps.uiUrl')} placeholder="https://tool.example.org/ui" data-autofocus {...form.getInputProps('uiUrl')} />
          <Group justify="flex-end"><Button variant="default" onClick={onClose}>{t('kit:cancel')}</Button><Button type="submit" loading={busy}>{t('apps.register')}</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
