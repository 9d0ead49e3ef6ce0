import { Button, Group, List, Stack, Text } from '@mantine/core';
import { formatNumber, notifyDone, useTranslation } from '@satellite/web-kit';
import { useQuery } from '@tanstack/react-query';
import { useDrive, type Drive } from '../api/drive.js';
import { foldersIn, type Entry } from '../api/lists.js';
import { Failures } from './failures.js';
import { Frame } from './frame.js';
import { useEach } from './use-each.js';

const NAMED = 5;
/** Folders that are looked into for the count; there may be thousands. */
const LOOKED_INTO = 60;

/** Deletes for good, after it has said what. */
export function RemoveDialog({ entries, onClose, onDone }: { readonly entries: readonly Entry[]; readonly onClose: () => void; readonly onDone: () => void }) {
  const { t } = useTranslation('drive');
  const { client } = useDrive();
  const remove = ({ kind, id }: Entry): Promise<unknown> => (kind === 'folder' ? client.DELETE('/folders/{id}', { params: { path: { id } } }) : client.DELETE('/files/{id}', { params: { path: { id } } }));
  const { busy, failures, run } = useEach(entries, remove, () => {
    notifyDone(t('remove.done', { count: entries.length, name: entries[0]?.name }));
    onDone();
    onClose();
  });
  const title = entries.length === 1 ? t('remove.one', { name: entries[0]?.name }) : t('remove.many', { count: entries.length });
  return (
    <Frame title={title} onClose={onClose}>
      <Stack>
        <Failures failures={failures} />
        {entries.length > 1 && <List size="sm">{entries.slice(0, NAMED).map(({ key, name }) => <List.Item key={key} style={{ overflowWrap: 'anywhere' }}>{name}</List.Item>)}{entries.length > NAMED && <List.Item>{t('remove.others', { count: entries.length - NAMED })}</List.Item>}</List>}
        <Contents folders={entries.filter(({ kind }) => kind === 'folder')} />
        <Text size="sm">{t('remove.forGood')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>{t('kit:cancel')}</Button>
          <Button color="red" loading={busy} onClick={() => void run()}>{t('kit:delete')}</Button>
        </Group>
      </Stack>
    </Frame>
  );
}

/** What is below the folders, which goes with them. */
function Contents({ folders }: { readonly folders: readonly Entry[] }) {
  const { t } = useTranslation('drive');
  const drive = useDrive();
  const ids = folders.map(({ id }) => id);
  const { data, error } = useQuery({ queryKey: ['contents', ids], enabled: ids.length > 0, staleTime: 0, queryFn: () => count(drive, ids) });
  if (ids.length === 0) return null;
  const words = data && { folders: t('count.folders', { count: data.folders, number: formatNumber(data.folders) }), files: t('count.files', { count: data.files, number: formatNumber(data.files) }) };
  const text = words === undefined ? t(error ? 'remove.unknown' : 'remove.counting') : data?.folders === 0 && data.files === 0 && data.isAll ? t('remove.empty', { count: ids.length }) : t(data?.isAll === true ? 'remove.contents' : 'remove.atLeast', { count: ids.length, ...words });
  return <Text size="sm" fw={500} role="status">{text}</Text>;
}

async function count(drive: Drive, ids: readonly string[]): Promise<{ folders: number; files: number; isAll: boolean }> {
  const open = [...ids];
  const found = { folders: 0, files: 0, isAll: true };
  for (let looked = 0; open.length > 0 && looked < LOOKED_INTO; looked++) {
    const id = open.shift() as string;
    const [below, files] = await Promise.all([drive.queryClient.fetchQuery(foldersIn(drive, id)), drive.client.GET('/files', { params: { query: { folderId: id, limit: 1 } } })]);
    found.folders += below.total;
    found.files += files.data?.total ?? 0;
    open.push(...below.rows.map((folder) => folder.id));
  }
  return { ...found, isAll: open.length === 0 };
}
