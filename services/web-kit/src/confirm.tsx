import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import i18next from 'i18next';
import type { ReactNode } from 'react';

/** Asks before something that cannot be taken back; resolves to whether it shall be done. */
export function confirm({ title, children, confirmLabel, color = 'red' }: { readonly title: string; readonly children: ReactNode; readonly confirmLabel?: string; readonly color?: string }): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: <Text size="sm" component="div">{children}</Text>,
      labels: { confirm: confirmLabel ?? i18next.t('delete', { ns: 'kit' }), cancel: i18next.t('cancel', { ns: 'kit' }) },
      confirmProps: { color },
      closeButtonProps: { 'aria-label': i18next.t('close', { ns: 'kit' }) },
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    });
  });
}
