import { Card, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { formatBytes, formatDate, formatNumber, useTranslation } from '@satellite/web-kit';
import type { Schemas } from '../../api/shell-api.js';

export function UsageBars({ usage }: { readonly usage: readonly Schemas['UsageView'][] }) {
  const { t } = useTranslation('shell');
  return (
    <Card>
      <Title order={2} mb="md">{t('billing.usage')}</Title>
      <Stack>{usage.map((one) => <Bar key={one.limitKey} usage={one} />)}</Stack>
    </Card>
  );
}

function Bar({ usage: { limitKey, limit, used, period, resetsAt } }: { readonly usage: Schemas['UsageView'] }) {
  const { t } = useTranslation('shell');
  const figure = limitKey.endsWith('bytes') ? formatBytes : formatNumber;
  const share = limit === -1 ? 0 : limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
  const name = t(`limits.${limitKey}`, { defaultValue: limitKey });
  return (
    <div>
      <Group justify="space-between" gap="xs"><Text size="sm" fw={600}>{name}</Text><Text size="sm">{limit === -1 ? t('billing.unlimited', { used: figure(used) }) : t('billing.of', { used: figure(used), limit: figure(limit) })}</Text></Group>
      {limit !== -1 && <Progress value={share} mt={6} color={share >= 100 ? 'red' : share >= 80 ? 'orange' : 'indigo'} aria-label={name} />}
      {period !== 'total' && resetsAt !== null && <Text size="xs" c="dimmed" mt={4}>{t('billing.resets', { date: formatDate(resetsAt) })}</Text>}
    </div>
  );
}
