import { Badge, Table, Text } from '@mantine/core';
import { formatRelative, formatTime, useTranslation } from '@satellite/web-kit';

export type Standing = 'true' | 'false' | 'unknown';

/** One line of how an app stands, in words. */
export interface ConditionRow {
  readonly id: string;
  readonly name: string;
  readonly status: Standing;
  /** A condition that should not hold. */
  readonly unwanted?: boolean;
  readonly reason: string;
  readonly message: string;
  readonly since: string;
}

const GOOD = { true: 'teal', false: 'red', unknown: 'gray' } as const;
const BAD = { true: 'orange', false: 'teal', unknown: 'gray' } as const;
const COLUMNS = ['condition', 'is', 'reason', 'message', 'since'] as const;

/** Conditions with their state in colour and in words. It scrolls on its own when the page is narrow. */
export function ConditionTable({ label, rows }: { readonly label: string; readonly rows: readonly ConditionRow[] }) {
  const { t } = useTranslation('shell');
  return (
    <Table.ScrollContainer minWidth={680} pb={0}>
      <Table aria-label={label}>
        <Table.Thead><Table.Tr>{COLUMNS.map((name) => <Table.Th key={name} scope="col">{t(`apps.${name}`)}</Table.Th>)}</Table.Tr></Table.Thead>
        <Table.Tbody>{rows.map((row) => <Row key={row.id} row={row} />)}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Row({ row: { name, status, unwanted = false, reason, message, since } }: { readonly row: ConditionRow }) {
  const { t } = useTranslation('shell');
  return (
    <Table.Tr>
      <Table.Th scope="row"><Text size="sm" fw={600}>{name}</Text></Table.Th>
      <Table.Td><Badge variant="light" tt="none" miw="max-content" color={(unwanted ? BAD : GOOD)[status]}>{t(`apps.is_${status}`)}</Badge></Table.Td>
      <Table.Td><Text size="sm">{reason}</Text></Table.Td>
      <Table.Td><Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>{message}</Text></Table.Td>
      <Table.Td><Text size="sm" title={formatTime(since)} style={{ whiteSpace: 'nowrap' }}>{formatRelative(since)}</Text></Table.Td>
    </Table.Tr>
  );
}
