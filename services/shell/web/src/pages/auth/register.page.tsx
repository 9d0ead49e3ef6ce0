import { Anchor, Button, Group, PasswordInput, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { ErrorState, formatMoney, Link, useNavigate, useSearchParams, useServerForm, useTranslation } from '@satellite/web-kit';
import { publicClient, publicHooks, type Schemas } from '../../api/shell-api.js';
import { AuthLayout } from '../../layout/auth-layout.js';
import { session } from '../../session/session.js';
import { useFieldChecks } from './fields.js';

type PlanCode = Schemas['RegisterRequest']['plan'];
const CODES: readonly string[] = ['HOBBY', 'PRO', 'ENTERPRISE'] satisfies PlanCode[];
const FIELDS: Readonly<Record<string, 'email' | 'username' | 'password'>> = { 'users.email_in_use': 'email', 'users.username_in_use': 'username', 'auth.password_too_common': 'password', 'auth.password_too_long': 'password' };

/** An account with its own organization and plan. */
export function RegisterPage() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const { required, email, password } = useFieldChecks();
  const wished = search.get('plan') ?? 'HOBBY';
  const { form, busy, problem, onSubmit } = useServerForm<Schemas['RegisterRequest']>({
    initialValues: { email: '', username: '', password: '', firstName: '', lastName: '', plan: (CODES.includes(wished) ? wished : 'HOBBY') as PlanCode },
    validate: { firstName: required, lastName: required, username: required, email, password },
    fieldOf: (reason) => FIELDS[reason],
    submit: async (body) => {
      const { data } = await publicClient.POST('/auth/register', { body });
      if (data) session.begin(data.data);
      await navigate('/', { replace: true });
    },
  });
  return (
    <AuthLayout width={520} title={t('auth.registerTitle')} text={t('auth.registerText')} footer={<>{t('auth.haveAccount')} <Anchor component={Link} to="/sign-in">{t('auth.signIn')}</Anchor></>}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          {problem !== undefined && <ErrorState error={problem} />}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput label={t('auth.firstName')} autoComplete="given-name" autoFocus {...form.getInputProps('firstName')} />
            <TextInput label={t('auth.lastName')} autoComplete="family-name" {...form.getInputProps('lastName')} />
          </SimpleGrid>
          <TextInput label={t('auth.email')} type="email" autoComplete="email" {...form.getInputProps('email')} />
          <TextInput label={t('auth.username')} description={t('auth.usernameHint')} autoComplete="username" {...form.getInputProps('username')} />
          <PasswordInput label={t('auth.password')} description={t('auth.passwordHint')} autoComplete="new-password" {...form.getInputProps('password')} visibilityToggleButtonProps={{ 'aria-label': t('kit:showPassword') }} />
          <Radio.Group label={t('auth.plan')} {...form.getInputProps('plan')}><PlanCards /></Radio.Group>
          <Button type="submit" fullWidth loading={busy}>{t('auth.create')}</Button>
        </Stack>
      </form>
    </AuthLayout>
  );
}

function PlanCards() {
  const { t } = useTranslation('shell');
  const plans = publicHooks.useQuery('get', '/config/plans');
  return (
    <Stack gap="xs" mt="xs">
      {(plans.data?.data ?? []).filter(({ code }) => CODES.includes(code)).map(({ code, name, tagline, monthlyPrice }) => (
        <Radio.Card key={code} value={code} p="sm" radius="md">
          <Group wrap="nowrap" align="flex-start">
            <Radio.Indicator mt={3} />
            <div style={{ flex: 1 }}>
              <Group justify="space-between"><Text fw={600}>{name}</Text><Text size="sm" fw={600}>{monthlyPrice === 0 ? t('auth.free') : t('auth.perMonth', { price: formatMoney(monthlyPrice) })}</Text></Group>
              <Text size="sm" c="dimmed">{tagline}{monthlyPrice > 0 && ` · ${t('auth.trial')}`}</Text>
            </div>
          </Group>
        </Radio.Card>
      ))}
    </Stack>
  );
}
