import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core';
import IconMailFast from '@tabler/icons-react/dist/esm/icons/IconMailFast.mjs';
import { ErrorState, Link, useServerForm, useTranslation } from '@satellite/web-kit';
import { useState } from 'react';
import { publicClient } from '../../api/shell-api.js';
import { AuthLayout } from '../../layout/auth-layout.js';
import { useFieldChecks } from './fields.js';

/** Asks for a link by mail; says the same whether there is such an account or not. */
export function ForgotPasswordPage() {
  const { t } = useTranslation('shell');
  const [sentTo, setSentTo] = useState<string>();
  const { email } = useFieldChecks();
  const { form, busy, problem, onSubmit } = useServerForm({
    initialValues: { email: '' },
    validate: { email },
    submit: async (body) => {
      await publicClient.POST('/auth/request-password-reset', { body });
      setSentTo(body.email);
    },
  });
  return (
    <AuthLayout title={t('auth.resetTitle')} text={t('auth.resetText')} footer={<Anchor component={Link} to="/sign-in">{t('auth.backToSignIn')}</Anchor>}>
      {sentTo !== undefined ? (
        <Alert icon={<IconMailFast aria-hidden />} title={t('auth.linkSent')} role="status">{t('auth.linkSentText', { email: sentTo })}</Alert>
      ) : (
        <form onSubmit={onSubmit} noValidate>
          <Stack>
            {problem !== undefined && <ErrorState error={problem} />}
            <TextInput label={t('auth.email')} type="email" autoComplete="email" autoFocus {...form.getInputProps('email')} />
            <Button type="submit" fullWidth loading={busy}>{t('auth.sendLink')}</Button>
          </Stack>
        </form>
      )}
    </AuthLayout>
  );
}
