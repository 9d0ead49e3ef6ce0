import { Alert, Anchor, Button, Divider, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { ErrorState, Link, notifyError, useNavigate, useSearchParams, useServerForm, useTranslation } from '@satellite/web-kit';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { useEffect, useState } from 'react';
import { publicClient, publicHooks } from '../../api/shell-api.js';
import { AuthLayout } from '../../layout/auth-layout.js';
import { session } from '../../session/session.js';
import { targetOf } from './target.js';

/** Reasons of the callback that have words of their own. */
const FAILURES = ['provider_refused', 'provider_unavailable', 'sign_in_refused', 'email_not_verified', 'link_required'] as const;

/** Local sign-in, and a button for each provider. */
export function SignInPage() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const failed = search.get('failed')?.replace('auth.', '');
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
          {problem === undefined && failed !== undefined && <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle aria-hidden />} title={t('auth.failed')}>{t(`auth.failures.${FAILURES.find((code) => code === failed) ?? 'other'}`)}</Alert>}
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
  const [going, setGoing] = useState<string>();
  const providers = publicHooks.useQuery('get', '/auth/providers');
  const others = (providers.data?.data ?? []).filter(({ type }) => type !== 'local');
  if (others.length === 0) return null;
  const go = async (provider: string): Promise<void> => {
    setGoing(provider);
    try {
      // slashes as they are: the server takes no hidden ones in an address to return to
      const returnUrl = `/sign-in/complete?to=${encodeURIComponent(target).replaceAll('%2F', '/')}`;
      const { data } = await publicClient.GET('/auth/login', { params: { query: { provider, returnUrl } } });
      if (data) location.assign(data.data.loginUrl);
    } catch (error) {
      notifyError(error);
      setGoing(undefined);
    }
  };
  return (
    <Stack mt="lg" gap="sm">
      <Divider label={t('auth.or')} />
      {others.map(({ providerId }) => <Button key={providerId} variant="default" fullWidth loading={going === providerId} onClick={() => void go(providerId)}>{t('auth.with', { provider: providerId })}</Button>)}
    </Stack>
  );
}
