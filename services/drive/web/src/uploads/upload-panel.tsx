import { ActionIcon, Box, Button, Group, Paper, Progress, Stack, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { ApiError, describeError, formatBytes, useTranslation } from '@satellite/web-kit';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconFileUpload from '@tabler/icons-react/dist/esm/icons/IconFileUpload.mjs';
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
import { useEffect, useSyncExternalStore } from 'react';
import { useDrive } from '../api/drive.js';
import { isOpen, otherName, type Upload } from './upload-queue.js';

/** What needs somebody is on top. */
const RANK: Readonly<Record<Upload['state'], number>> = { failed: 0, sending: 1, waiting: 2, cancelled: 3, done: 4 };

/** Files on their way in. What changes is also said to those who do not see it. */
export function UploadPanel() {
  const { uploads } = useDrive();
  const { t } = useTranslation('drive');
  const items = useSyncExternalStore(uploads.subscribe, uploads.snapshot);
  const open = items.filter(isOpen).length;
  useLeaveGuard(open > 0);
  const done = items.filter(({ state }) => state === 'done').length;
  const failed = items.filter(({ state }) => state === 'failed').length;
  const summary = items.length === 0 ? '' : `${t(open > 0 ? 'upload.going' : 'upload.over', { done, total: items.length })}${failed > 0 ? ` ${t('upload.failedCount', { count: failed })}` : ''}`;
  return (
    <>
      <VisuallyHidden role="status" aria-live="polite">{summary}</VisuallyHidden>
      {items.length > 0 && (
        <Paper withBorder radius="lg" p="sm" mb="md" component="section" aria-label={t('upload.title')}>
          <Group justify="space-between" mb="xs" wrap="nowrap">
            <Text size="sm" fw={600} aria-hidden>{summary}</Text>
            {open > 0 ? <Button size="compact-sm" variant="subtle" color="gray" onClick={() => uploads.cancelAll()}>{t('upload.cancelAll')}</Button> : <Button size="compact-sm" variant="subtle" color="gray" onClick={() => uploads.clear()}>{t('upload.clear')}</Button>}
          </Group>
          <Box mah={280} style={{ overflowY: 'auto' }} tabIndex={0} role="group" aria-label={t('upload.title')}>
            <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>{[...items].sort((a, b) => RANK[a.state] - RANK[b.state]).map((upload) => <UploadRow key={upload.id} upload={upload} />)}</Stack>
          </Box>
        </Paper>
      )}
    </>
  );
}

function UploadRow({ upload }: { readonly upload: Upload }) {
  const { uploads } = useDrive();
  const { t } = useTranslation('drive');
  const { id, name, file, state, progress } = upload;
  const percent = Math.round(progress * 100);
  const isConflict = upload.error instanceof ApiError && upload.error.reason === 'files.name_in_use';
  return (
    <Box component="li">
      <Group gap="sm" wrap="nowrap">
        <StateIcon state={state} />
        <Box flex={1} miw={0}>
          <Text size="sm" truncate title={name}>{name}</Text>
          {state === 'sending' ? <Progress value={percent} size="sm" mt={4} aria-label={t('upload.progress', { name })} /> : <Text size="xs" c={state === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}>{state === 'failed' ? <Reason upload={upload} /> : t(`upload.state_${state}`, { size: formatBytes(file.size) })}</Text>}
        </Box>
        {state === 'sending' && <Text size="xs" c="dimmed" ff="monospace">{percent} %</Text>}
        {isConflict && <Button size="compact-sm" variant="default" onClick={() => uploads.retry(id, otherName(name))}>{t('upload.keepBoth')}</Button>}
        {(state === 'failed' || state === 'cancelled') && !isConflict && <Button size="compact-sm" variant="default" aria-label={t('upload.retry', { name })} onClick={() => uploads.retry(id)}>{t('kit:retry')}</Button>}
        {isOpen(upload) && <Tooltip label={t('kit:cancel')}><ActionIcon variant="subtle" color="gray" aria-label={t('upload.cancel', { name })} onClick={() => uploads.cancel(id)}><IconX size={16} aria-hidden /></ActionIcon></Tooltip>}
      </Group>
    </Box>
  );
}

function Reason({ upload: { error, name } }: { readonly upload: Upload }) {
  const { t } = useTranslation('drive');
  if (error instanceof ApiError && error.reason === 'files.name_in_use') return t('upload.conflict', { name, other: otherName(name) });
  if (error instanceof ApiError && error.status === 0) return t('upload.unreachable');
  return describeError(error).message;
}

function StateIcon({ state }: { readonly state: Upload['state'] }) {
  if (state === 'done') return <IconCheck size={18} color="var(--mantine-color-teal-text)" aria-hidden />;
  if (state === 'failed') return <IconAlertTriangle size={18} color="var(--mantine-color-error)" aria-hidden />;
  return <IconFileUpload size={18} aria-hidden />;
}

/** Closing the tab would cut what is on its way. */
function useLeaveGuard(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [active]);
}
