import { ActionIcon, Alert, Button, Center, CopyButton, Group, Skeleton, Stack, Text, ThemeIcon, Title, Tooltip } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs';
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
import type { ReactNode } from 'react';
import { describeError } from '../errors.js';
import { useTranslation } from '../i18n.js';

/** Copies a text and says so. */
export function CopyIcon({ value, label }: { readonly value: string; readonly label: string }) {
  const { t } = useTranslation('kit');
  return (
    <CopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('copied') : label}>
          <ActionIcon variant="subtle" color={copied ? 'teal' : 'gray'} onClick={copy} aria-label={copied ? t('copied') : label}>
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** Something could not be shown; with what to tell the administrator, and a way to try again. */
export function ErrorState({ error, title, onRetry }: { readonly error: unknown; readonly title?: string; readonly onRetry?: () => void }) {
  const { t } = useTranslation('kit');
  const { message, requestId } = describeError(error);
  return (
    <Alert color="red" variant="light" radius="lg" icon={<IconAlertTriangle aria-hidden />} title={title ?? t('wentWrong')} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{message}</Text>
        {requestId !== undefined && (
          <Group gap={4}>
            <Text size="xs" ff="monospace">{t('requestId', { id: requestId })}</Text>
            <CopyIcon value={requestId} label={t('copyRequestId')} />
          </Group>
        )}
        {onRetry && <Button size="xs" variant="default" leftSection={<IconRefresh size={14} aria-hidden />} onClick={onRetry}>{t('retry')}</Button>}
      </Stack>
    </Alert>
  );
}

/**
 * Nothing is here yet, and what one can do about it.
 * @param isPage true when there is nothing else on the page, so that this is its heading
 */
export function EmptyState({ icon, title, children, action, isPage = false }: { readonly icon: ReactNode; readonly title: string; readonly children?: ReactNode; readonly action?: ReactNode; readonly isPage?: boolean }) {
  return (
    <Center py={56} px="md">
      <Stack align="center" gap="sm" maw={420}>
        <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>{icon}</ThemeIcon>
        <Title order={isPage ? 1 : 2} size="h3" ta="center">{title}</Title>
        {children !== undefined && <Text c="dimmed" ta="center" size="sm">{children}</Text>}
        {action}
      </Stack>
    </Center>
  );
}

/** Grey lines where rows will be. */
export function LoadingRows({ rows = 5, height = 44 }: { readonly rows?: number; readonly height?: number }) {
  const { t } = useTranslation('kit');
  return (
    <Stack gap="xs" role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_row, index) => <Skeleton key={index} height={height} radius="md" />)}
    </Stack>
  );
}

/** The query's data, or its skeleton or error instead. */
export function Loaded<T>({ query, children, fallback }: { readonly query: { readonly data: T | undefined; readonly error: unknown; readonly refetch: () => unknown }; readonly children: (data: T) => ReactNode; readonly fallback?: ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null && query.error !== undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return fallback ?? <LoadingRows />;
}
