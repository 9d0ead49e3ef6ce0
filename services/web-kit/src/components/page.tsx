import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** Head of a page: what it is, what one can do here. Also names the browser's tab. */
export function PageHeader({ title, description, actions }: { readonly title: string; readonly description?: ReactNode; readonly actions?: ReactNode }) {
  useDocumentTitle(title);
  return (
    <Group justify="space-between" align="flex-start" wrap="wrap" gap="md" mb="lg">
      <Stack gap={4}>
        <Title order={1}>{title}</Title>
        {description !== undefined && <Text c="dimmed" size="sm" component="div">{description}</Text>}
      </Stack>
      {actions !== undefined && <Group gap="sm">{actions}</Group>}
    </Group>
  );
}

/** A page's content in the width that reads well. */
export function Page({ children, narrow = false }: { readonly children: ReactNode; readonly narrow?: boolean }) {
  return <Box maw={narrow ? 760 : 1280} mx="auto" w="100%">{children}</Box>;
}
