import { Badge, Button, Card, Group, NumberInput, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { ErrorState, formatMoney, formatNumber, Loaded, notifyDone, Page, PageHeader, useServerForm, useTranslation } from '@satellite/web-kit';
import { useState } from 'react';
import { client, hooks, type Schemas } from '../../api/shell-api.js';
import { useCan } from '../../session/me.js';
import { StatusBadge } from './status-badge.js';

type Plan = Schemas['PlanView'];

/** What is sold, for how much, and with which limits. */
export function PlansPage() {
  const { t } = useTranslation('shell');
  const plans = hooks.useQuery('get', '/plans', { params: { query: { limit: 100, sort: 'monthlyPrice' } } });
  return (
    <Page>
      <PageHeader title={t('plans.title')} description={t('plans.text')} />
      <Loaded query={plans}>{({ data }) => <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>{data.map((plan) => <PlanCard key={plan.id} plan={plan} />)}</SimpleGrid>}</Loaded>
    </Page>
  );
}

function PlanCard({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation('shell');
  const can = useCan();
  const limits = hooks.useQuery('get', '/plans/{id}/limits', { params: { path: { id: plan.id } } });
  const [editing, setEditing] = useState(false);
  return (
    <Card>
      <Group justify="space-between"><Title order={2} size="h3">{plan.name}</Title><Group gap="xs"><Badge variant="light" color="gray">{plan.code}</Badge><StatusBadge status={plan.status} /></Group></Group>
      <Text c="dimmed" size="sm">{plan.tagline}</Text>
      <Text fw={600} mt="sm">{plan.monthlyPrice === 0 ? t('auth.free') : t('plans.prices', { month: formatMoney(plan.monthlyPrice), year: formatMoney(plan.yearlyPrice) })}</Text>
      <Title order={3} size="h5" mt="md" mb={4}>{t('plans.limits')}</Title>
      <Loaded query={limits}>
        {({ data }) => (editing ? (
          <LimitsForm plan={plan} limits={data} onDone={() => { setEditing(false); void limits.refetch(); }} />
        ) : (
          <>
            <Table withRowBorders={false} verticalSpacing={4}><Table.Tbody>{data.map(({ limitKey, limitValue, period }) => <Table.Tr key={limitKey}><Table.Td><Text size="sm">{t(`limits.${limitKey}`, { defaultValue: limitKey })}</Text></Table.Td><Table.Td ta="right"><Text size="sm" fw={600}>{limitValue === -1 ? t('plans.unlimited') : formatNumber(limitValue)} <Text span size="xs" c="dimmed">{t(`plans.period_${period}`)}</Text></Text></Table.Td></Table.Tr>)}</Table.Tbody></Table>
            {can('plans:write') && <Group justify="flex-end" mt="sm"><Button size="xs" variant="default" onClick={() => setEditing(true)}>{t('plans.editLimits')}</Button></Group>}
          </>
        ))}
      </Loaded>
    </Card>
  );
}

function LimitsForm({ plan, limits, onDone }: { readonly plan: Plan; readonly limits: readonly Schemas['PlanLimit'][]; readonly onDone: () => void }) {
  const { t } = useTranslation('shell');
  const { form, busy, problem, onSubmit } = useServerForm({
    initialValues: { values: limits.map(({ limitValue }) => limitValue) },
    submit: async ({ values }) => {
      await client.PUT('/plans/{id}/limits', { params: { path: { id: plan.id }, header: { 'If-Match': `"${plan.version}"` } }, body: { limits: limits.map((limit, index) => ({ ...limit, limitValue: Number(values[index] ?? limit.limitValue) })) } });
      notifyDone(t('account.saved'));
      onDone();
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="xs">
        {problem !== undefined && <ErrorState error={problem} />}
        {limits.map(({ limitKey }, index) => <NumberInput key={limitKey} size="xs" label={t(`limits.${limitKey}`, { defaultValue: limitKey })} description={t('plans.unlimitedHint')} min={-1} allowDecimal={false} thousandSeparator=" " {...form.getInputProps(`values.${index}`)} />)}
        <Group justify="flex-end"><Button size="xs" variant="default" onClick={onDone}>{t('kit:cancel')}</Button><Button size="xs" type="submit" loading={busy}>{t('kit:save')}</Button></Group>
      </Stack>
    </form>
  );
}
