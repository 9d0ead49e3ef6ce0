import { currentLanguage, notifyError, useNavigate, useTranslation, type RowAction } from '@satellite/web-kit';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs';
import IconFolderOpen from '@tabler/icons-react/dist/esm/icons/IconFolderOpen.mjs';
import IconFolderSymlink from '@tabler/icons-react/dist/esm/icons/IconFolderSymlink.mjs';
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { download } from '../api/bytes.js';
import { useDrive } from '../api/drive.js';
import type { Entry } from '../api/lists.js';
import type { DialogControl } from '../dialogs/use-dialog.js';

export interface EntryActions {
  readonly open: (entry: Entry) => void;
  readonly menu: readonly RowAction<Entry>[];
}

/** What can be done with one file or folder. Who may not is told by Drive, which alone knows. */
export function useEntryActions({ dialog, path }: { readonly dialog: DialogControl; readonly path: readonly string[] }): EntryActions {
  const { t } = useTranslation('drive');
  const drive = useDrive();
  const navigate = useNavigate();
  const isFolder = ({ kind }: Entry): boolean => kind === 'folder';
  const open = (entry: Entry): void => {
    if (isFolder(entry)) void navigate(`${drive.basePath}/folders/${[...path, entry.id].join('/')}`);
    else dialog.open({ kind: 'preview', file: entry });
  };
  const save = (file: Entry): void => void download(drive, file).catch((error: unknown) => notifyError(error, t('download.failed', { name: file.name })));
  const menu: RowAction<Entry>[] = [
    { label: t('action.open'), icon: <IconFolderOpen size={16} aria-hidden />, hidden: (entry) => !isFolder(entry), onClick: open },
    { label: t('action.preview'), icon: <IconEye size={16} aria-hidden />, hidden: isFolder, onClick: open },
    { label: t('action.download'), icon: <IconDownload size={16} aria-hidden />, hidden: isFolder, onClick: save },
    { label: t('action.share'), icon: <IconLink size={16} aria-hidden />, hidden: isFolder, onClick: (file) => dialog.open({ kind: 'share', file }) },
    { label: t('action.rename'), icon: <IconPencil size={16} aria-hidden />, onClick: (entry) => dialog.open({ kind: 'rename', entry }) },
    { label: t('action.move'), icon: <IconFolderSymlink size={16} aria-hidden />, onClick: (entry) => dialog.open({ kind: 'move', entries: [entry] }) },
    { label: t('kit:delete'), icon: <IconTrash size={16} aria-hidden />, color: 'var(--mantine-color-error)', onClick: (entry) => dialog.open({ kind: 'remove', entries: [entry] }) },
  ];
  return { open, menu };
}

const ORDERS: Readonly<Record<string, (a: Entry, b: Entry) => number>> = {
  size: (a, b) => a.size - b.size,
  updatedAt: (a, b) => a.updatedAt.localeCompare(b.updatedAt),
  contentType: (a, b) => a.contentType.localeCompare(b.contentType),
};

/** Folders first, each kind by the field; `-name` is from Z to A. */
export function sorted(entries: readonly Entry[], sort: string): readonly Entry[] {
  const { compare } = new Intl.Collator(currentLanguage(), { numeric: true });
  const byName = (a: Entry, b: Entry): number => compare(a.name, b.name);
  const order = ORDERS[sort.replace(/^-/, '')] ?? byName;
  const direction = sort.startsWith('-') ? -1 : 1;
  const rank = ({ kind }: Entry): number => (kind === 'folder' ? 0 : 1);
  return entries.toSorted((a, b) => rank(a) - rank(b) || direction * order(a, b) || byName(a, b));
}
