import { Modal, type ModalProps } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from '@satellite/web-kit';
import type { ReactNode } from 'react';

/** A dialog; `useDialog` gives the focus back. */
export function Frame({ title, onClose, size, wide = false, children }: { readonly title: string; readonly onClose: () => void; readonly size?: ModalProps['size']; readonly wide?: boolean; readonly children: ReactNode }) {
  const { t } = useTranslation('kit');
  const isNarrow = useMediaQuery('(max-width: 48em)') === true;
  return (
    <Modal opened onClose={onClose} title={title} returnFocus={false} size={wide ? 1000 : size ?? 'md'} fullScreen={wide && isNarrow} transitionProps={{ duration: 0 }} closeButtonProps={{ 'aria-label': t('close') }} styles={{ title: { fontWeight: 600, overflowWrap: 'anywhere', minWidth: 0 } }}>
      {children}
    </Modal>
  );
}
