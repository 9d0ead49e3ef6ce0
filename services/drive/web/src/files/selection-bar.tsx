import { Button, Group, Paper, Text, VisuallyHidden } from '@mantine/core';
import { useTranslation } from '@satellite/web-kit';
import IconFolderSymlink from '@tabler/icons-react/dist/esm/icons/IconFolderSymlink.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import type { Entry } from '../api/lists.js';

interface Props {
  readonly entries: readonly Entry[];
  readonly onClear: () => void;
  readonly onMove: () => void;
  readonly onRemove: () => void;
}

/** What can be done with everything that is selected. */
export function SelectionBar({ entries, onClear, onMove, onRemove }: Props) {
  const { t } = useTranslation('drive');
  const text = entries.length === 0 ? '' : t('kit:selected', { count: entries.length });
  return (
    <>
      <VisuallyHidden role="status">{text}</VisuallyHidden>
      {entries.length > 0 && (
        <Paper withBorder radius="lg" px="md" py="xs" mb="md" component="section" aria-label={text}>
          <Group gap="sm">
            <Text size="sm" fw={600} aria-hidden mr="auto">{text}</Text>
            <Button size="xs" variant="default" leftSection={<IconFolderSymlink size={16} aria-hidden />} onClick={onMove}>{t('action.move')}</Button>
            <Button size="xs" color="red" variant="light" leftSection={<IconTrash size={16} aria-hidden />} onClick={onRemove}>{t('kit:delete')}</Button>
            <Button size="xs" variant="subtle" color="gray" onClick={onClear}>{t('selection.clear')}</Button>
          </Group>
        </Paper>
      )}
    </>
  );
}
