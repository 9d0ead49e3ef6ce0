import { Box, Button, Center, Group, Image, Loader, Stack, Text } from '@mantine/core';
import { EmptyState, ErrorState, formatBytes, formatTime, notifyError, useTranslation } from '@satellite/web-kit';
import { useQuery } from '@tanstack/react-query';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs';
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs';
import { useEffect, useState } from 'react';
import { bytesOf, download } from '../api/bytes.js';
import { useDrive } from '../api/drive.js';
import type { Entry } from '../api/lists.js';
import { EntryIcon } from '../files/entry-icon.js';
import { Frame } from './frame.js';

type Kind = 'image' | 'video' | 'audio' | 'pdf' | 'text' | 'none';

/** So much of a text is shown. */
const TEXT_BYTES = 256 * 1024;
const HEIGHT = 'min(65vh, 640px)';

/** Shows a file as far as the browser can. */
export function PreviewDialog({ file, onClose, onShare }: { readonly file: Entry; readonly onClose: () => void; readonly onShare: () => void }) {
  const { t } = useTranslation('drive');
  const drive = useDrive();
  const [busy, setBusy] = useState(false);
  const save = (): void => {
    setBusy(true);
    void download(drive, file).catch((error: unknown) => notifyError(error, t('download.failed', { name: file.name }))).finally(() => setBusy(false));
  };
  return (
    <Frame title={file.name} onClose={onClose} wide>
      <Stack>
        <Content file={file} />
        <Group justify="space-between">
          <Group gap="xs"><EntryIcon entry={file} /><Text size="sm" c="dimmed">{t('preview.facts', { size: formatBytes(file.size), type: file.contentType, time: formatTime(file.updatedAt) })}</Text></Group>
          <Group gap="sm">
            <Button variant="default" leftSection={<IconLink size={16} aria-hidden />} onClick={onShare}>{t('action.share')}</Button>
            <Button leftSection={<IconDownload size={16} aria-hidden />} loading={busy} onClick={save} data-autofocus>{t('action.download')}</Button>
          </Group>
        </Group>
      </Stack>
    </Frame>
  );
}

function Content({ file }: { readonly file: Entry }) {
  const { t } = useTranslation('drive');
  const drive = useDrive();
  const kind = kindOf(file);
  const first = kind === 'text' ? { first: TEXT_BYTES } : {};
  const bytes = useQuery({ queryKey: ['bytes', file.id, file.version], enabled: kind !== 'none' && file.size > 0, gcTime: 0, staleTime: Infinity, queryFn: ({ signal }) => bytesOf(drive, file, { ...first, signal }) });
  if (file.size === 0) return <EmptyState icon={<IconEyeOff size={28} />} title={t('preview.empty')} />;
  if (kind === 'none') return <EmptyState icon={<IconEyeOff size={28} />} title={t('preview.none')}>{t('preview.noneText')}</EmptyState>;
  if (bytes.error) return <ErrorState error={bytes.error} onRetry={() => void bytes.refetch()} />;
  if (bytes.data === undefined) return <Center h={240}><Loader type="dots" aria-label={t('kit:loading')} /></Center>;
  return kind === 'text' ? <TextContent blob={bytes.data} file={file} /> : <Media kind={kind} blob={bytes.data} file={file} />;
}

function Media({ kind, blob, file }: { readonly kind: Kind; readonly blob: Blob; readonly file: Entry }) {
  const url = useBlobUrl(blob, file.contentType);
  if (url === undefined) return null;
  if (kind === 'image') return <Image src={url} alt={file.name} fit="contain" mah={HEIGHT} />;
  if (kind === 'video') return <video src={url} controls aria-label={file.name} style={{ width: '100%', maxHeight: HEIGHT }} />;
  if (kind === 'audio') return <audio src={url} controls aria-label={file.name} style={{ width: '100%' }} />;
  // the browser's own viewer, in a process of its own, without the list of pages
  return <iframe src={`${url}#navpanes=0&view=FitH`} title={file.name} style={{ width: '100%', height: HEIGHT, border: 0 }} />;
}

function TextContent({ blob, file }: { readonly blob: Blob; readonly file: Entry }) {
  const { t } = useTranslation('drive');
  const text = useQuery({ queryKey: ['text', file.id, file.version], gcTime: 0, queryFn: () => blob.text() });
  return (
    <>
      {file.size > TEXT_BYTES && <Text size="sm" c="dimmed">{t('preview.part', { size: formatBytes(TEXT_BYTES) })}</Text>}
      <Box component="pre" tabIndex={0} role="region" aria-label={file.name} m={0} p="md" mah={HEIGHT} fz="sm" style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', border: '1px solid var(--platform-border)', borderRadius: 'var(--mantine-radius-md)' }}>{text.data ?? ''}</Box>
    </>
  );
}

/** An address for bytes, of the type that Drive found them to be. */
function useBlobUrl(blob: Blob, type: string): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([blob], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob, type]);
  return url;
}

const IMAGES = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp', 'image/x-icon']);

/** Only what a browser shows without running anything in it. */
function kindOf({ contentType }: Entry): Kind {
  if (IMAGES.has(contentType)) return 'image';
  if (contentType === 'application/pdf') return navigator.pdfViewerEnabled ? 'pdf' : 'none'; // telephones have no viewer in the page
  if (/^text\/|^application\/(json|yaml)$/.test(contentType)) return 'text';
  const [major] = contentType.split('/');
  if ((major === 'video' || major === 'audio') && document.createElement(major).canPlayType(contentType) !== '') return major;
  return 'none';
}
