import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { formatDate, useTranslation } from '@satellite/web-kit';
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs';
import { hooks, type Schemas } from '../../api/shell-api.js';
import { useCan } from '../../session/me.js';
import { StatusBadge } from '../admin/status-badge.js';
import { usePortal } from './use-portal.js';

export function CurrentPlan({ subscription }: { readonly subscription: Schemas['SubscriptionView'] }) {
  const { t } = useTranslation('shell');
  const can = useCan();
  const { busy, open } = usePortal();
  const plans = hooks.useQuery('get', '/config/plans');
  const { planName, status, interval, currentPeriodEnd, cancelAtPeriodEnd, nextPlanCode } = subscription;
  return (
    <Card>
      <Stack h="100%" justify="space-between">
        <div>
          <Text size="sm" c="dimmed">{t('billing.current')}</Text>
          <Group gap="sm" mt={4}><Title order={2}>{planName}</Title><StatusBadge status={status} /></Group>
          <Text size="sm" mt="sm">{t(cancelAtPeriodEnd ? 'billing.endsOn' : status === 'trial' ? 'billing.trialUntil' : `billing.${interval}`, { date: formatDate(currentPeriodEnd) })}</Text>
          {nextPlanCode !== null && <Text size="sm">{t('billing.next', { plan: plans.data?.data.find(({ code }) => code === nextPlanCode)?.name ?? nextPlanCode })}</Text>}
        </div>
        {can('subscriptions:admin') && <Group><Button variant="default" rightSection={<IconExternalLink size={16} aria-hidden />} loading={busy} onClick={open}>{t('billing.portal')}</Button></Group>}
      </Stack>
    </Card>
  );
}
