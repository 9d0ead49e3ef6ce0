import { Button, Card, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { ErrorState, notifyDone, useServerForm, useTranslation } from '@satellite/web-kit';
import { client } from '../../api/shell-api.js';
import { session } from '../../session/session.js';
import { useFieldChecks } from '../auth/fields.js';

export function SecurityPanel() {
  const { t } = useTranslation('shell');
  const { required, password } = useFieldChecks();
  const { form, busy, problem, onSubmit } = useServerForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: { currentPassword: required, newPassword: password },
    fieldOf: (reason) => (reason === 'auth.wrong_password' ? 'currentPassword' : undefined),
    submit: async (body) => {
      await client.POST('/auth/change-password', { body });
      notifyDone(t('account.passwordChanged'));
      session.drop();
    },
  });
  const toggle = { visibilityToggleButtonProps: { 'aria-label': t('kit:showPassword') } };
  return (
    <Card>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <div><Title order={2}>{t('account.changePassword')}</Title><Text size="sm" c="dimmed">{t('account.changeText')}</Text></div>
          {problem !== undefined && <ErrorState error={problem} />}
          <PasswordInput label={t('account.currentPassword')} autoComplete="current-password" {...form.getInputProps('currentPassword')} {...toggle} />
          <PasswordInput label={t('auth.newPassword')} description={t('auth.passwordHint')} autoComplete="new-password" {...form.getInputProps('newPassword')} {...toggle} />
          <Group justify="flex-end"><Button type="submit" loading={busy}>{t('account.changePassword')}</Button></Group>
        </Stack>
      </form>
    </Card>
  );
}
