import { Alert, Button, Group, Text } from '@mantine/core';
import { EmptyState, formatNumber, Link, Page, PageHeader, useParams, useSearchParams, useTranslation } from '@satellite/web-kit';
import IconFolderOpen from '@tabler/icons-react/dist/esm/icons/IconFolderOpen.mjs';
import IconFolderPlus from '@tabler/icons-react/dist/esm/icons/IconFolderPlus.mjs';
import IconSearchOff from '@tabler/icons-react/dist/esm/icons/IconSearchOff.mjs';
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { useRef, useState } from 'react';
import { useDrive } from '../api/drive.js';
import { useEntries, usePeople } from '../api/lists.js';
import { Dialogs } from '../dialogs/dialogs.js';
import { useDialog, type DialogControl } from '../dialogs/use-dialog.js';
import { UploadPanel } from '../uploads/upload-panel.js';
import { DropArea } from './drop-area.js';
import { EntryGrid } from './entry-grid.js';
import { EntryTable } from './entry-table.js';
import { SelectionBar } from './selection-bar.js';
import { StorageLine } from './storage-line.js';
import { Toolbar, useView } from './toolbar.js';
import { sorted, useEntryActions } from './use-entry-actions.js';

const MIN_SEARCH = 2;

/** What is in a folder; its address names all folders on the way to it. */
export function FilesPage() {
  const path = (useParams()['*'] ?? '').split('/').filter((id) => id !== '');
  return <FolderView key={path.join('/')} path={path} />;
}

function FolderView({ path }: { readonly path: readonly string[] }) {
  const { t } = useTranslation('drive');
  const [search, setSearch] = useSearchParams();
  const dialog = useDialog();
  const choose = useRef<() => void>(null);
  const [view, setView] = useView();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const q = (search.get('q') ?? '').trim();
  const folderId = path.at(-1) ?? null;
  const entries = useEntries(folderId, q.length < MIN_SEARCH ? '' : q);
  const [sort, setSort] = useState('name');
  const rows = entries.data && sorted(entries.data, sort);
  const actions = useEntryActions({ dialog, path });
  const chosen = rows?.filter(({ key }) => selected.has(key)) ?? [];
  const change = (text: string): void => setSearch(text === '' ? {} : { q: text }, { replace: true });
  const shown = { rows, error: entries.error, onRetry: entries.refetch, actions, selected, onSelect: setSelected, empty: <Empty isSearch={q !== ''} dialog={dialog} folderId={folderId} onUpload={() => choose.current?.()} /> };
  return (
    <Page>
      <PageHeader title={t('title')} description={t('text')} actions={<HeaderActions onNewFolder={() => dialog.open({ kind: 'new-folder', place: folderId })} onUpload={() => choose.current?.()} />} />
      <Toolbar path={path} text={q} onText={change} view={view} onView={setView} sort={sort} onSort={setSort} />
      <DropArea openRef={choose} folderId={folderId} />
      <UploadPanel />
      <SelectionBar entries={chosen} onClear={() => setSelected(new Set())} onMove={() => dialog.open({ kind: 'move', entries: chosen })} onRemove={() => dialog.open({ kind: 'remove', entries: chosen })} />
      {view === 'grid' ? <EntryGrid {...shown} /> : <EntryTable {...shown} sort={sort} onSort={setSort} />}
      {entries.left > 0 && <Alert variant="light" mt="md">{t('more', { count: entries.left, number: formatNumber(entries.left) })}</Alert>}
      <StorageLine />
      <Dialogs control={dialog} onGone={() => setSelected(new Set())} />
    </Page>
  );
}

function HeaderActions({ onNewFolder, onUpload }: { readonly onNewFolder: () => void; readonly onUpload: () => void }) {
  const { t } = useTranslation('drive');
  const { basePath } = useDrive();
  const people = usePeople();
  return (
    <>
      {people && <Button variant="subtle" component={Link} to={`${basePath}/people`} leftSection={<IconUsers size={16} aria-hidden />}>{t('people.title')}</Button>}
      <Button variant="default" leftSection={<IconFolderPlus size={16} aria-hidden />} onClick={onNewFolder}>{t('folder.new')}</Button>
      <Button leftSection={<IconUpload size={16} aria-hidden />} onClick={onUpload}>{t('upload.button')}</Button>
    </>
  );
}

function Empty({ isSearch, dialog, folderId, onUpload }: { readonly isSearch: boolean; readonly dialog: DialogControl; readonly folderId: string | null; readonly onUpload: () => void }) {
  const { t } = useTranslation('drive');
  if (isSearch) return <EmptyState icon={<IconSearchOff size={28} />} title={t('search.none')}><Text span inherit>{t('search.noneText')}</Text></EmptyState>;
  const action = (
    <Group justify="center">
      <Button onClick={onUpload}>{t('upload.button')}</Button>
      <Button variant="default" onClick={() => dialog.open({ kind: 'new-folder', place: folderId })}>{t('folder.new')}</Button>
    </Group>
  );
  return <EmptyState icon={<IconFolderOpen size={28} />} title={t('empty')} action={action}>{t('emptyText')}</EmptyState>;
}
