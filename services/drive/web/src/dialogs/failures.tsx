import { Alert, List } from '@mantine/core';
import { describeError, useTranslation } from '@satellite/web-kit';
import type { Failure } from './use-each.js';

/** What could not be done, with the reason for each. */
export function Failures({ failures }: { readonly failures: readonly Failure[] }) {
  const { t } = useTranslation('drive');
  if (failures.length === 0) return null;
  return (
    <Alert color="red" variant="light" radius="lg" role="alert" title={t('failures', { count: failures.length })}>
      <List size="sm">{failures.map(({ entry, error }) => <List.Item key={entry.key}><b>{entry.name}</b>: {describeError(error).message}</List.Item>)}</List>
    </Alert>
  );
}
