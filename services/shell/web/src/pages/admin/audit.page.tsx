import { Badge, Code, Drawer, Group, Select, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { DataTable, EmptyState, formatRelative, formatTime, Page, PageHeader, useTranslation, type Column } from '@satellite/web-kit';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import { useState } from 'react';
import { hooks, type Schemas } from '../../api/shell-api.js';
import { SearchInput } from './search-input.js';
import { StatusBadge } from './status-badge.js';
import { useList } from './use-list.js';

type Entry = Schemas['AuditEntryView'];

/** What was done and what was refused, newest first. */
export function AuditPage() {
  const { t } = useTranslation('shell');
  const [outcome, setOutcome] = useState<string | null>(null);
  const list = useList({ sort: '-at', filterOf: (text) => ({ action: { contains: text } }), ...(outcome !== null && { extra: { outcome } }) });
  const entries = hooks.useQuery('get', '/admin/audit', { params: { query: list.query } });
  const [open, setOpen] = useState<Entry>();
  const columns: Column<Entry>[] = [
    { key: 'at', title: t('audit.at'), sort: 'at', cell: ({ at }) => <Text size="sm" title={formatTime(at)}>{formatRelative(at)}</Text>, width: 140 },
    { key: 'actor', title: t('audit.actor'), cell: ({ actor }) => <Text size="sm" fw={600}>{actor.name ?? actor.id ?? t(`audit.kind_${actor.kind}`)}</Text> },
    { key: 'action', title: t('audit.action'), cell: ({ action, count }) => <Group gap={6}><Code>{action}</Code>{count > 1 && <Badge size="sm" variant="light" color="gray">×{count}</Badge>}</Group> },
    { key: 'outcome', title: t('audit.outcome'), cell: ({ outcome: result }) => <StatusBadge status={result} /> },
    { key: 'address', title: t('audit.address'), wideOnly: true, cell: ({ address }) => <Text size="sm" ff="monospace">{address ?? '–'}</Text> },
  ];
  return (
    <Page>
      <PageHeader title={t('audit.title')} description={t('audit.text')} />
      <Group align="flex-start">
        <SearchInput value={list.text} onChange={list.setText} label={t('audit.search')} />
        <Select aria-label={t('audit.outcome')} placeholder={t('audit.anyOutcome')} data={[{ value: 'success', label: t('status.success') }, { value: 'refused', label: t('status.refused') }]} value={outcome} onChange={setOutcome} clearable clearButtonProps={{ 'aria-label': t('audit.anyOutcome') }} w={180} />
      </Group>
      <DataTable
        label={t('audit.title')} rows={entries.data?.data} error={entries.error} onRetry={() => void entries.refetch()} columns={columns} keyOf={({ id }) => id} nameOf={({ action }) => action} onOpen={setOpen}
        actions={[{ label: t('apps.details'), onClick: setOpen }]} sort={list.sort} onSort={list.setSort} page={{ number: list.page, size: list.query.limit, total: entries.data?.pagination.total ?? 0, onChange: list.setPage }}
        empty={<EmptyState icon={<IconHistory size={28} />} title={t('audit.none')} />}
      />
      <Drawer opened={open !== undefined} onClose={() => setOpen(undefined)} position="right" size="lg" title={open?.action} closeButtonProps={{ 'aria-label': t('kit:close') }}>{open && <Details entry={open} />}</Drawer>
    </Page>
  );
}

function Details({ entry }: { readonly entry: Entry }) {
  const { t } = useTranslation('shell');
  const { at, actor, address, requestId, target, outcome, reason, before, after, hash, seq } = entry;
  const rows = [[t('audit.at'), formatTime(at)], [t('audit.actor'), [t(`audit.kind_${actor.kind}`), actor.name ?? actor.id].filter(Boolean).join(' · ')], [t('audit.target'), target === null ? '–' : `${target.type} ${target.id ?? ''}`], [t('audit.reason'), reason ?? '–'], [t('audit.address'), address ?? '–'], [t('audit.request'), requestId ?? '–'], [t('audit.hash'), `#${seq} ${hash.slice(0, 24)}…`]] as const;
  return (
    <Stack>
      <StatusBadge status={outcome} />
      <Table withRowBorders={false} verticalSpacing={4}><Table.Tbody>{rows.map(([name, value]) => <Table.Tr key={name}><Table.Th w={120} scope="row"><Text size="sm" c="dimmed">{name}</Text></Table.Th><Table.Td><Text size="sm" style={{ overflowWrap: 'anywhere' }}>{value}</Text></Table.Td></Table.Tr>)}</Table.Tbody></Table>
      {(before !== null || after !== null) && (
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <div><Text size="sm" fw={600} mb={4}>{t('audit.before')}</Text><Code block>{before === null ? '–' : JSON.stringify(before, null, 2)}</Code></div>
          <div><Text size="sm" fw={600} mb={4}>{t('audit.after')}</Text><Code block>{after === null ? '–' : JSON.stringify(after, null, 2)}</Code></div>
        </SimpleGrid>
      )}
    </Stack>
  );
}
