import { Group, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useTranslation } from '@satellite/web-kit';
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs';
import type { RefObject } from 'react';
import { useDrive } from '../api/drive.js';

/** Takes files that are dropped on it, or chosen after a click; for keyboards there is a button that does the same. */
export function DropArea({ openRef, folderId }: { readonly openRef: RefObject<(() => void) | null>; readonly folderId: string | null }) {
  const { t } = useTranslation('drive');
  const { uploads } = useDrive();
  return (
    <Dropzone openRef={openRef as RefObject<() => void>} onDrop={(files) => uploads.add(files, folderId)} mb="md" py="sm" radius="lg" activateOnKeyboard={false} inputProps={{ 'aria-label': t('upload.button') }}>
      <Group justify="center" gap="sm" wrap="nowrap" style={{ pointerEvents: 'none' }}>
        <IconUpload size={18} aria-hidden />
        <Text size="sm">{t('upload.drop')}</Text>
      </Group>
    </Dropzone>
  );
}
