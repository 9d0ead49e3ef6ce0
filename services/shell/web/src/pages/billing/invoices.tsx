import { Button, Card, Group, Text, Title } from '@mantine/core';
import { useTranslation } from '@satellite/web-kit';
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs';
import { usePortal } from './use-portal.js';

/** The processor writes and keeps them; the Shell's API has none. */
export function Invoices() {
  const { t } = useTranslation('shell');
  const { busy, open } = usePortal();
  return (
    <div>
      <Title order={2} mb="md">{t('billing.invoices')}</Title>
      <Card padding="md" maw={760}>
        <Group justify="space-between">
          <Text size="sm" maw={480}>{t('billing.invoicesText')}</Text>
          <Button variant="default" rightSection={<IconExternalLink size={16} aria-hidden />} loading={busy} onClick={open}>{t('billing.invoicesOpen')}</Button>
        </Group>
      </Card>
    </div>
  );
}
