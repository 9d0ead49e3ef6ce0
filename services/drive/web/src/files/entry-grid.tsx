import { Button, Card, Center, Checkbox, Group, Paper, SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import { ErrorState, formatBytes, LoadingRows, RowMenu, useTranslation } from '@satellite/web-kit';
import { useState } from 'react';
import type { Entry } from '../api/lists.js';
import { EntryIcon } from './entry-icon.js';
import { PAGE_SIZE, type EntriesProps } from './entry-table.js';

/** Files and folders as tiles. */
export function EntryGrid(props: EntriesProps) {
  const { rows, error, onRetry, empty } = props;
  const { t } = useTranslation('drive');
  const [shown, setShown] = useState(PAGE_SIZE);
  if (rows === undefined) return error === undefined || error === null ? <LoadingRows rows={3} height={120} /> : <ErrorState error={error} onRetry={onRetry} />;
  if (rows.length === 0) return <Paper withBorder radius="lg">{empty}</Paper>;
  return (
    <>
      <SimpleGrid cols={{ base: 2, xs: 3, md: 4, lg: 5 }} spacing="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('title')}>
        {rows.slice(0, shown).map((entry) => <Tile key={entry.key} entry={entry} {...props} />)}
      </SimpleGrid>
      {rows.length > shown && <Center mt="md"><Button variant="default" onClick={() => setShown(shown + PAGE_SIZE)}>{t('showMore')}</Button></Center>}
    </>
  );
}

function Tile({ entry, actions, selected, onSelect }: EntriesProps & { readonly entry: Entry }) {
  const { t } = useTranslation('kit');
  const isSelected = selected.has(entry.key);
  const toggle = (): void => onSelect(isSelected ? new Set([...selected].filter((key) => key !== entry.key)) : new Set([...selected, entry.key]));
  return (
    <Card component="li" padding="xs" {...(isSelected && { bg: 'var(--mantine-primary-color-light)' })}>
      <Group justify="space-between" wrap="nowrap">
        <Checkbox aria-label={t('selectRow', { name: entry.name })} checked={isSelected} onChange={toggle} />
        <RowMenu row={entry} name={entry.name} actions={actions.menu} />
      </Group>
      <UnstyledButton onClick={() => actions.open(entry)} py="xs" ta="center" w="100%">
        <Center mb="xs"><EntryIcon entry={entry} size={48} /></Center>
        <Text size="sm" fw={500} lineClamp={2} style={{ overflowWrap: 'anywhere' }} title={entry.name}>{entry.name}</Text>
        <Text size="xs" c="dimmed" mih={18}>{entry.kind === 'file' ? formatBytes(entry.size) : ' '}</Text>
      </UnstyledButton>
    </Card>
  );
}
