import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { formatDate, notifyError, useTranslation } from '@satellite/web-kit';
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs';
import { useState } from 'react';
import { client, type Schemas } from '../../api/shell-api.js';
import { useCan } from '../../session/me.js';
import { StatusBadge } from '../admin/status-badge.js';

export function CurrentPlan({ subscription }: { readonly subscription: Schemas['SubscriptionView'] }) {
  const { t } = useTranslation('shell');
  const can = useCan();
  const [busy, setBusy] = useState(false);
  const { planName, status, interval, currentPeriodEnd, cancelAtPeriodEnd, nextPlanCode } = subscription;
  const openPortal = async (): Promise<void> => {
    setBusy(true);
    try {
      const { data } = await client.GET('/subscriptions/portal', { params: { query: { returnUrl: location.href.split('?')[0] ?? '' } } });
      if (data) location.assign(data.data.portalUrl);
    } catch (error) {
      notifyError(error);
      setBusy(false);
    }
  };
  return (
    <Card>
      <Stack h="100%" justify="space-between">
        <div>
          <Text size="sm" c="dimmed">{t('billing.current')}</Text>
          <Group gap="sm" mt={4}><Title order={2}>{planName}</Title><StatusBadge status={status} /></Group>
          <Text size="sm" mt="sm">{t(cancelAtPeriodEnd ? 'billing.endsOn' : `billing.${interval}`, { date: formatDate(currentPeriodEnd) })}</Text>
          {nextPlanCode !== null && <Text size="sm">{t('billing.next', { plan: nextPlanCode })}</Text>}
        </div>
        {can('subscriptions:admin') && <Group><Button variant="default" rightSection={<IconExternalLink size={16} aria-hidden />} loading={busy} onClick={() => void openPortal()}>{t('billing.portal')}</Button></Group>}
      </Stack>
    </Card>
  );
}
