import { Badge } from '@mantine/core';
import { useTranslation } from '@satellite/web-kit';

const COLORS: Readonly<Record<string, string>> = {
  active: 'teal', approved: 'teal', success: 'teal', trial: 'blue', pending: 'blue', suspended: 'red', rejected: 'red', refused: 'red', past_due: 'orange', degraded: 'orange', maintenance: 'yellow', hidden: 'gray', inactive: 'gray', deprecated: 'gray', canceled: 'gray', expired: 'gray',
};

/** A state in its colour; the word says it too. */
export function StatusBadge({ status }: { readonly status: string }) {
  const { t } = useTranslation('shell');
  return <Badge variant="light" color={COLORS[status] ?? 'gray'} tt="none">{t(`status.${status}`, { defaultValue: status })}</Badge>;
}
