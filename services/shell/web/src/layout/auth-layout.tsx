import { Box, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useTranslation } from '@satellite/web-kit';
import type { ReactNode } from 'react';

/** A card in the middle of the page: signing in and everything around it. */
export function AuthLayout({ title, text, children, footer, width = 420 }: { readonly title: string; readonly text?: string; readonly children: ReactNode; readonly footer?: ReactNode; readonly width?: number }) {
  const { t } = useTranslation('shell');
  useDocumentTitle(`${title} · ${t('brand')}`);
  return (
    <Center mih="100dvh" p="md" component="main">
      <Box w="100%" maw={width}>
        <Group justify="center" gap="xs" mb="xl">
          <img src="/favicon.svg" width={32} height={32} alt="" />
          <Text fw={700} size="lg">{t('brand')}</Text>
        </Group>
        <Paper withBorder shadow="sm" radius="lg" p={{ base: 'lg', sm: 'xl' }}>
          <Stack gap={4} mb="lg">
            <Title order={1}>{title}</Title>
            {text !== undefined && <Text c="dimmed" size="sm">{text}</Text>}
          </Stack>
          {children}
        </Paper>
        {footer !== undefined && <Text ta="center" size="sm" mt="lg" component="div" className="with-links">{footer}</Text>}
      </Box>
    </Center>
  );
}

