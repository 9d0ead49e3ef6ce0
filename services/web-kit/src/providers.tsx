import { MantineProvider, type MantineColorSchemeManager } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from './i18n.js';
import { cssVariables, theme } from './theme.js';

interface Props {
  readonly queryClient: QueryClient;
  /** Of the page's content security policy. */
  readonly styleNonce?: string | undefined;
  readonly colorSchemeManager?: MantineColorSchemeManager;
  readonly children: ReactNode;
}

/** Everything that components need around them; once in a page, by whoever owns it. */
export function KitProviders({ queryClient, styleNonce, colorSchemeManager, children }: Props) {
  const { t } = useTranslation('kit');
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" {...(styleNonce !== undefined && { getStyleNonce: () => styleNonce })} {...(colorSchemeManager && { colorSchemeManager })}>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" />
        <ModalsProvider labels={{ confirm: t('delete'), cancel: t('cancel') }}>{children}</ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
