import { Box, Group, Text } from '@mantine/core';
import { DataTable, formatBytes, formatDate, useTranslation, type Column } from '@satellite/web-kit';
import { useState, type ReactNode } from 'react';
import { usePeople, type Entry } from '../api/lists.js';
import { EntryIcon } from './entry-icon.js';
import type { EntryActions } from './use-entry-actions.js';

/** Rows that are drawn at a time. */
export const PAGE_SIZE = 50;

export interface EntriesProps {
  readonly rows: readonly Entry[] | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly actions: EntryActions;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly empty: ReactNode;
}

/** Files and folders as a list. */
export function EntryTable({ rows, error, onRetry, actions, selected, onSelect, empty, sort, onSort }: EntriesProps & { readonly sort: string; readonly onSort: (sort: string) => void }) {
  const { t } = useTranslation('drive');
  const [page, setPage] = useState(1);
  const columns = useColumns();
  const total = rows?.length ?? 0;
  const number = Math.min(page, Math.max(1, Math.ceil(total / PAGE_SIZE)));
  return (
    <DataTable
      label={t('title')} rows={rows?.slice((number - 1) * PAGE_SIZE, number * PAGE_SIZE)} error={error} onRetry={onRetry} columns={columns} keyOf={({ key }) => key} nameOf={({ name }) => name} empty={empty}
      onOpen={actions.open} actions={actions.menu} sort={sort} onSort={onSort} selected={selected} onSelect={onSelect} {...(total > PAGE_SIZE && { page: { number, size: PAGE_SIZE, total, onChange: setPage } })}
    />
  );
}

function useColumns(): Column<Entry>[] {
  const { t } = useTranslation('drive');
  const people = usePeople();
  const owner: Column<Entry> = { key: 'owner', title: t('column.owner'), wideOnly: true, width: 200, cell: ({ createdBy }) => <Text size="sm" lineClamp={1}>{people?.get(createdBy)?.name ?? people?.get(createdBy)?.email ?? '–'}</Text> };
  return [
    { key: 'name', title: t('column.name'), sort: 'name', cell: (entry) => (
      <Group gap="sm" wrap="nowrap">
        <Box flex="none" display="flex"><EntryIcon entry={entry} /></Box>
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>{entry.name}</Text>
          <Text size="xs" c="dimmed" hiddenFrom="sm">{entry.kind === 'file' ? `${formatBytes(entry.size)} · ` : ''}{formatDate(entry.updatedAt)}</Text>
        </div>
      </Group>
    ) },
    ...(people ? [owner] : []),
    { key: 'size', title: t('column.size'), sort: 'size', wideOnly: true, width: 120, cell: ({ kind, size }) => <Text size="sm">{kind === 'file' ? formatBytes(size) : '–'}</Text> },
    { key: 'updatedAt', title: t('column.changed'), sort: 'updatedAt', wideOnly: true, width: 160, cell: ({ updatedAt }) => <Text size="sm">{formatDate(updatedAt)}</Text> },
  ];
}
