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

/**
 * Conditions with their state in colour and in words. Where five columns have no room, each is a few lines below the
 * other; the roles say that it is a table all the same, since browsers forget that of what is laid out otherwise.
 */
export function ConditionTable({ label, rows }: { readonly label: string; readonly rows: readonly ConditionRow[] }) {
  const { t } = useTranslation('shell');
  return (
    <div className="conditions">
      <Table role="table" aria-label={label}>
        <Table.Thead role="rowgroup"><Table.Tr role="row">{COLUMNS.map((name) => <Table.Th key={name} role="columnheader" scope="col">{t(`apps.${name}`)}</Table.Th>)}</Table.Tr></Table.Thead>
        <Table.Tbody role="rowgroup">{rows.map((row) => <Row key={row.id} row={row} />)}</Table.Tbody>
      </Table>
    </div>
  );
}

function Row({ row: { name, status, unwanted = false, reason, message, since } }: { readonly row: ConditionRow }) {
  const { t } = useTranslation('shell');
  return (
    <Table.Tr role="row">
      <Table.Th role="rowheader" scope="row"><Text size="sm" fw={600}>{name}</Text></Table.Th>
      <Table.Td role="cell" className="condition-is"><Badge variant="light" tt="none" miw="max-content" color={(unwanted ? BAD : GOOD)[status]}>{t(`apps.is_${status}`)}</Badge></Table.Td>
      <Table.Td role="cell"><Text size="sm" style={{ overflowWrap: 'break-word' }}>{reason}</Text></Table.Td>
      <Table.Td role="cell" className="condition-message"><Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>{message}</Text></Table.Td>
      <Table.Td role="cell" className="condition-since"><Text size="sm" title={formatTime(since)} style={{ whiteSpace: 'nowrap' }}>{formatRelative(since)}</Text></Table.Td>
    </Table.Tr>
  );
}
