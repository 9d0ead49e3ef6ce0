import { Button, Group, ScrollArea, Stack, Text } from '@mantine/core';
import { notifyDone, useTranslation } from '@satellite/web-kit';
import { useState } from 'react';
import { useDrive } from '../api/drive.js';
import type { Entry } from '../api/lists.js';
import { Failures } from './failures.js';
import { FolderTree } from './folder-tree.js';
import { Frame } from './frame.js';
import { update } from './name.dialog.js';
import { useEach } from './use-each.js';

/** Moves files and folders to a folder that is chosen from the tree. */
export function MoveDialog({ entries, onClose, onDone }: { readonly entries: readonly Entry[]; readonly onClose: () => void; readonly onDone: () => void }) {
  const { t } = useTranslation('drive');
  const drive = useDrive();
  const [target, setTarget] = useState<string | null>();
  const moving = entries.filter(({ place }) => place !== target);
  const { busy, failures, run } = useEach(entries, (entry) => update(drive, entry, { place: target ?? null }), () => {
    notifyDone(t('move.done', { count: entries.length, name: entries[0]?.name }));
    onDone();
    onClose();
  });
  const isSame = target !== undefined && moving.length === 0;
  return (
    <Frame title={entries.length === 1 ? t('move.one', { name: entries[0]?.name }) : t('move.many', { count: entries.length })} onClose={onClose}>
      <Stack>
        <Failures failures={failures} />
        <ScrollArea.Autosize mah={320} type="auto" offsetScrollbars>
          <FolderTree label={t('move.where')} value={target} onChange={setTarget} without={new Set(entries.filter(({ kind }) => kind === 'folder').map(({ id }) => id))} />
        </ScrollArea.Autosize>
        <Text size="sm" c="dimmed" role="status">{isSame ? t('move.same') : ''}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>{t('kit:cancel')}</Button>
          <Button loading={busy} disabled={target === undefined || isSame} onClick={() => void run()}>{t('move.here')}</Button>
        </Group>
      </Stack>
    </Frame>
  );
}
