import { Avatar, Badge, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from '@satellite/web-kit';
import { useMe } from '../../session/me.js';

export function ProfilePanel() {
  const { t } = useTranslation('shell');
  const { firstName, lastName, email, username, organization, roles } = useMe();
  return (
    <Card>
      <Group align="flex-start" gap="lg">
        <Avatar size={64} radius="xl" color="indigo">{`${firstName.charAt(0)}${lastName.charAt(0)}`.toUpperCase()}</Avatar>
        <Stack gap={2}>
          <Title order={2}>{firstName} {lastName}</Title>
          <Text c="dimmed" size="sm">{username} · {email}</Text>
          <Group gap="xs" mt="sm"><Text size="sm" fw={600}>{t('account.organization')}</Text><Text size="sm">{organization.name}</Text></Group>
          <Group gap="xs"><Text size="sm" fw={600}>{t('account.roles')}</Text>{roles.map((role) => <Badge key={role} variant="light">{role}</Badge>)}</Group>
        </Stack>
      </Group>
    </Card>
  );
}
