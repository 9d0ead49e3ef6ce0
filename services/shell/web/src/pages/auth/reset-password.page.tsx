import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { ErrorState, Link, notifyDone, useNavigate, useSearchParams, useServerForm, useTranslation } from '@satellite/web-kit';
import { publicClient } from '../../api/shell-api.js';
import { AuthLayout } from '../../layout/auth-layout.js';
import { useFieldChecks } from './fields.js';

/** From the link of a reset message or of an invitation. */
export function ResetPasswordPage() {
  const { t } = useTranslation('shell');
  const [search] = useSearchParams();
  const token = search.get('token');
  const isInvitation = search.has('invitation');
  const back = <Anchor component={Link} to="/sign-in">{t('auth.backToSignIn')}</Anchor>;
  if (token === null || token === '') return <AuthLayout title={t('auth.badLink')} footer={back}><Text size="sm">{t('auth.badLinkText')}</Text></AuthLayout>;
  return (
    <AuthLayout title={t(isInvitation ? 'auth.inviteTitle' : 'auth.choosePassword')} {...(isInvitation && { text: t('auth.inviteText') })} footer={back}>
      <NewPassword token={token} />
    </AuthLayout>
  );
}

function NewPassword({ token }: { readonly token: string }) {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const { password } = useFieldChecks();
  const { form, busy, problem, onSubmit } = useServerForm({
    initialValues: { newPassword: '' },
    validate: { newPassword: password },
    fieldOf: (reason) => (reason.startsWith('auth.password') ? 'newPassword' : undefined),
    submit: async ({ newPassword }) => {
      await publicClient.POST('/auth/confirm-password-reset', { body: { token, newPassword } });
      notifyDone(t('auth.passwordSet'));
      await navigate('/sign-in', { replace: true });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {problem !== undefined && <ErrorState error={problem} />}
        <PasswordInput label={t('auth.newPassword')} description={t('auth.passwordHint')} autoComplete="new-password" autoFocus {...form.getInputProps('newPassword')} visibilityToggleButtonProps={{ 'aria-label': t('kit:showPassword') }} />
        <Button type="submit" fullWidth loading={busy}>{t('auth.setPassword')}</Button>
      </Stack>
    </form>
  );
}
