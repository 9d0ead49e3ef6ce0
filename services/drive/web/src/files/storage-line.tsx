import { Group, Text } from '@mantine/core';
import { formatBytes, formatNumber, useTranslation } from '@satellite/web-kit';
import IconDatabase from '@tabler/icons-react/dist/esm/icons/IconDatabase.mjs';
import { useDrive } from '../api/drive.js';

/** How much the organization stores. How much it may is in its plan, which Drive does not know. */
export function StorageLine() {
  const { t } = useTranslation('drive');
  const usage = useDrive().hooks.useQuery('get', '/storage').data?.data;
  if (usage === undefined) return null;
  return (
    <Group gap="xs" mt="md" c="dimmed">
      <IconDatabase size={16} aria-hidden />
      <Text size="sm">{t('storage', { bytes: formatBytes(usage.bytes), count: usage.files, number: formatNumber(usage.files) })}</Text>
    </Group>
  );
}
