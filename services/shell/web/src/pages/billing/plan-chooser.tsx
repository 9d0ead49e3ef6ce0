import { Badge, Button, Card, Group, List, SegmentedControl, SimpleGrid, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { formatMoney, Loaded, notifyError, useTranslation } from '@satellite/web-kit';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs';
import { useState } from 'react';
import { client, hooks, type Schemas } from '../../api/shell-api.js';

type Interval = Schemas['SubscriptionView']['interval'];

/** Every plan on sale; choosing one goes to the processor's checkout. */
export function PlanChooser({ current }: { readonly current: Schemas['SubscriptionView'] }) {
  const { t } = useTranslation('shell');
  const plans = hooks.useQuery('get', '/config/plans');
  const [interval, setInterval] = useState<Interval>(current.interval);
  const [going, setGoing] = useState<string>();
  const choose = async (planCode: string): Promise<void> => {
    setGoing(planCode);
    try {
      const { data } = await client.POST('/subscriptions/upgrade', { body: { planCode, interval } });
      if (data) location.assign(data.data.checkoutUrl);
    } catch (error) {
      notifyError(error);
      setGoing(undefined);
    }
  };
  return (
    <Stack>
      <div><SegmentedControl aria-label={t('billing.interval')} value={interval} onChange={(value) => setInterval(value as Interval)} data={[{ value: 'monthly', label: t('billing.byMonth') }, { value: 'yearly', label: t('billing.byYear') }]} /></div>
      <Loaded query={plans}>
        {({ data }) => <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>{data.map((plan) => <PlanCard key={plan.id} plan={plan} interval={interval} isCurrent={plan.code === current.planCode} isTrial={current.status === 'trial'} busy={going === plan.code} onChoose={() => void choose(plan.code)} />)}</SimpleGrid>}
      </Loaded>
    </Stack>
  );
}

function PlanCard({ plan, interval, isCurrent, isTrial, busy, onChoose }: { readonly plan: Schemas['PricedPlanView']; readonly interval: Interval; readonly isCurrent: boolean; readonly isTrial: boolean; readonly busy: boolean; readonly onChoose: () => void }) {
  const { t } = useTranslation('shell');
  const price = interval === 'yearly' ? plan.yearlyPrice : plan.monthlyPrice;
  // what is only tried has not been paid for yet
  const isOwned = isCurrent && !isTrial;
  return (
    <Card style={isCurrent ? { borderColor: 'var(--mantine-primary-color-filled)' } : {}}>
      <Stack justify="space-between" h="100%">
        <div>
          <Group justify="space-between"><Title order={3}>{plan.name}</Title>{isCurrent && <Badge variant="light" tt="none">{t('billing.yours')}</Badge>}</Group>
          <Text c="dimmed" size="sm">{plan.tagline}</Text>
          <Group gap={6} align="baseline" mt="sm"><Text fz={28} fw={700}>{price === 0 ? t('auth.free') : formatMoney(price)}</Text>{price > 0 && <Text size="sm" c="dimmed">{t(`billing.per_${interval}`)}</Text>}</Group>
          <List spacing={6} mt="md" size="sm" center listStyleType="none">
            {plan.features.map(({ label, included }) => <List.Item key={label} c={included ? 'var(--mantine-color-text)' : 'dimmed'} icon={<ThemeIcon size={20} radius="xl" variant="light" color={included ? 'teal' : 'gray'} aria-hidden>{included ? <IconCheck size={12} /> : <IconMinus size={12} />}</ThemeIcon>}>{label}</List.Item>)}
          </List>
        </div>
        <Button variant={isOwned ? 'default' : 'filled'} disabled={isOwned} loading={busy} onClick={onChoose} fullWidth mt="md">{isOwned ? t('billing.yours') : t('billing.choose', { plan: plan.name })}</Button>
      </Stack>
    </Card>
  );
}
