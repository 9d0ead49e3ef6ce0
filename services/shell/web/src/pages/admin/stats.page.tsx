import '@mantine/charts/styles.layer.css';
import { AreaChart } from '@mantine/charts';
import { Card, Group, Progress, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { formatBytes, formatDate, formatMoney, formatNumber, formatTime, Loaded, Page, PageHeader, useTranslation } from '@satellite/web-kit';
import { hooks, type Schemas } from '../../api/shell-api.js';

type Stats = Schemas['StatsView'];

/** The platform, or the organization, in figures. */
export function StatsPage() {
  const { t } = useTranslation('shell');
  const stats = hooks.useQuery('get', '/admin/stats', {}, { refetchInterval: 60_000 });
  return (
    <Page>
      <Loaded query={stats}>
        {({ data }) => (
          <>
            <PageHeader title={t('stats.title')} description={t(`stats.of_${data.scope}`, { at: formatTime(data.at) })} />
            <Stack gap="lg">
              <Counts stats={data} />
              <SignIns days={data.signIns} />
              <SimpleGrid cols={{ base: 1, lg: 2 }}>
                {data.scope === 'platform' && <Revenue revenue={data.revenue} />}
                <Pressure quota={data.quota} />
              </SimpleGrid>
            </Stack>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Counts({ stats: { users, organizations, apps, scope } }: { readonly stats: Stats }) {
  const { t } = useTranslation('shell');
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: scope === 'platform' ? 4 : 3 }}>
      <Figure title={t('users.title')} value={users.total} note={t('stats.new30', { count: users.new30Days })} />
      {scope === 'platform' && <Figure title={t('organizations.title')} value={organizations.total} note={t('stats.new30', { count: organizations.new30Days })} />}
      <Figure title={t('nav.apps')} value={apps.active} note={apps.degraded + apps.maintenance > 0 ? t('stats.unwell', { count: apps.degraded + apps.maintenance }) : t('stats.allWell')} />
      <Figure title={t('stats.suspended')} value={users.suspended} note={t('stats.people')} />
    </SimpleGrid>
  );
}

function Figure({ title, value, note }: { readonly title: string; readonly value: number; readonly note: string }) {
  return <Card><Text size="sm" c="dimmed">{title}</Text><Text fz={30} fw={700} lh={1.2}>{formatNumber(value)}</Text><Text size="xs" c="dimmed">{note}</Text></Card>;
}

function SignIns({ days }: { readonly days: readonly Schemas['SignInDayView'][] }) {
  const { t } = useTranslation('shell');
  const total = days.reduce((sum, { succeeded }) => sum + succeeded, 0);
  return (
    <Card>
      <Group justify="space-between" mb="md"><Title order={2} size="h3">{t('stats.signIns')}</Title><Text size="sm" c="dimmed">{t('stats.last30', { count: total })}</Text></Group>
      <div role="img" aria-label={t('stats.signInsLabel', { count: total })}>
        <AreaChart h={220} data={days.map((day) => ({ date: formatDate(day.date), [t('stats.succeeded')]: day.succeeded, [t('stats.refused')]: day.refused }))} dataKey="date" series={[{ name: t('stats.succeeded'), color: 'indigo.6' }, { name: t('stats.refused'), color: 'red.6' }]} curveType="monotone" withDots={false} gridAxis="y" tickLine="none" />
      </div>
    </Card>
  );
}

function Revenue({ revenue: { currency, monthlyRevenue, plans } }: { readonly revenue: Stats['revenue'] }) {
  const { t } = useTranslation('shell');
  const money = (amount: number): string => formatMoney(amount, currency.toUpperCase());
  return (
    <Card>
      <Group justify="space-between" mb="sm"><Title order={2} size="h3">{t('stats.revenue')}</Title><Text fw={700}>{t('auth.perMonth', { price: money(monthlyRevenue) })}</Text></Group>
      <Table verticalSpacing={6} aria-label={t('stats.revenue')}>
        <Table.Thead><Table.Tr><Table.Th>{t('organizations.plan')}</Table.Th><Table.Th ta="right">{t('organizations.title')}</Table.Th><Table.Th ta="right">{t('stats.paying')}</Table.Th><Table.Th ta="right">{t('stats.monthly')}</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>{plans.map((plan) => <Table.Tr key={plan.planCode}><Table.Td>{plan.planName}</Table.Td><Table.Td ta="right">{formatNumber(plan.organizations)}</Table.Td><Table.Td ta="right">{formatNumber(plan.paying)}</Table.Td><Table.Td ta="right">{money(plan.monthlyRevenue)}</Table.Td></Table.Tr>)}</Table.Tbody>
      </Table>
    </Card>
  );
}

function Pressure({ quota }: { readonly quota: Stats['quota'] }) {
  const { t } = useTranslation('shell');
  return (
    <Card>
      <Title order={2} size="h3" mb="sm">{t('stats.pressure')}</Title>
      {quota.limits.length === 0 ? <Text size="sm" c="dimmed">{t('stats.noPressure')}</Text> : (
        <Stack gap="sm">
          {quota.limits.slice(0, 8).map(({ organizationId, organizationName, limitKey, limit, used, percent }) => {
            const name = `${organizationName}: ${t(`limits.${limitKey}`, { defaultValue: limitKey })}`;
            const figure = limitKey.endsWith('bytes') ? formatBytes : formatNumber;
            return <div key={organizationId + limitKey}><Group justify="space-between"><Text size="sm" fw={600}>{name}</Text><Text size="sm">{t('billing.of', { used: figure(used), limit: figure(limit) })}</Text></Group><Progress mt={4} value={Math.min(100, percent ?? 100)} color={(percent ?? 100) >= 100 ? 'red' : 'orange'} aria-label={name} /></div>;
          })}
        </Stack>
      )}
    </Card>
  );
}
