import { Anchor, Button, Divider, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { ErrorState, Link, useNavigate, useSearchParams, useServerForm, useTranslation } from '@satellite/web-kit';
import { useEffect } from 'react';
import { publicClient, publicHooks } from '../../api/shell-api.js';
import { AuthLayout } from '../../layout/auth-layout.js';
import { session } from '../../session/session.js';
import { targetOf } from './target.js';

/** Local sign-in, and a button for each provider. */
export function SignInPage() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const target = targetOf(search);
  useEffect(() => {
    if (session.isSignedIn()) void navigate(target, { replace: true });
  }, [navigate, target]);
  const required = (value: string): string | null => (value.trim() === '' ? t('auth.required') : null);
  const { form, busy, problem, onSubmit } = useServerForm({
    initialValues: { usernameOrEmail: '', password: '' },
    validate: { usernameOrEmail: required, password: required },
    submit: async (body) => {
      const { data } = await publicClient.POST('/auth/local-login', { body });
      if (data) session.begin(data.data);
      await navigate(target, { replace: true });
    },
  });
  return (
    <AuthLayout title={t('auth.signInTitle')} text={t('auth.signInText')} footer={<>{t('auth.noAccount')} <Anchor component={Link} to="/register">{t('auth.register')}</Anchor></>}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          {problem !== undefined && <ErrorState error={problem} />}
          <TextInput label={t('auth.user')} autoComplete="username" autoFocus {...form.getInputProps('usernameOrEmail')} />
          <PasswordInput label={t('auth.password')} autoComplete="current-password" {...form.getInputProps('password')} visibilityToggleButtonProps={{ 'aria-label': t('kit:showPassword') }} />
          <Group justify="flex-end"><Anchor component={Link} to="/forgot-password" size="sm">{t('auth.forgot')}</Anchor></Group>
          <Button type="submit" fullWidth loading={busy}>{t('auth.signIn')}</Button>
        </Stack>
      </form>
      <Providers target={target} />
    </AuthLayout>
  );
}

function Providers({ target }: { readonly target: string }) {
  const { t } = useTranslation('shell');
  const providers = publicHooks.useQuery('get', '/auth/providers');
  const others = (providers.data?.data ?? []).filter(({ type }) => type !== 'local');
  if (others.length === 0) return null;
  const go = async (provider: string): Promise<void> => {
    const returnUrl = `/sign-in/complete?to=${encodeURIComponent(target)}`;
    const { data } = await publicClient.GET('/auth/login', { params: { query: { provider, returnUrl } } });
    if (data) location.assign(data.data.loginUrl);
  };
  return (
    <Stack mt="lg" gap="sm">
      <Divider label={t('auth.or')} />
      {others.map(({ providerId }) => <Button key={providerId} variant="default" fullWidth onClick={() => void go(providerId)}>{t('auth.with', { provider: providerId })}</Button>)}
    </Stack>
  );
}
