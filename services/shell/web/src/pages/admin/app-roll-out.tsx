import { Badge, Card, Code, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from '@satellite/web-kit';
import type { Schemas } from '../../api/shell-api.js';

type App = Schemas['AppView'];
type Enablement = Schemas['EnablementView'];

const COLORS: Readonly<Record<string, string>> = { Progressing: 'blue', Paused: 'orange', RolledBack: 'red', Completed: 'teal' };

/** How far an app, or a new front-end of it, has come; nothing where all is everybody's. */
export function AppRollOut({ app }: { readonly app: App }) {
  const { t } = useTranslation('shell');
  const { organizationPercent, uiCanary } = app;
  const condition = app.report?.conditions.find(({ type }) => type === 'RolledOut');
  const isBack = condition?.reason === 'RolledBack';
  if (organizationPercent === 100 && uiCanary === null && !isBack) return null;
  return (
    <Card>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3">{t('apps.rollOut')}</Title>
        {condition && <Badge variant="light" tt="none" color={COLORS[condition.reason] ?? 'gray'}>{t(`apps.rollOut_${condition.reason}`, { defaultValue: condition.reason })}</Badge>}
      </Group>
      <Stack gap="md">
        {organizationPercent < 100 && <Share label={t('apps.rollOutApp')} percent={organizationPercent}>{t('apps.rollOutAppText', { percent: organizationPercent })}</Share>}
        {uiCanary && (
          <Share label={t('apps.rollOutFrontEnd')} percent={uiCanary.percent}>
            {t('apps.rollOutFrontEndText', { percent: uiCanary.percent, canary: uiCanary.version ?? '–', stable: app.version ?? '–' })} {uiCanary.uiUrl !== null && <Code>{uiCanary.uiUrl}</Code>}
          </Share>
        )}
        {condition?.reason === 'Paused' && <Text size="sm" c="dimmed">{t('apps.rollOutPausedText')}</Text>}
        {isBack && <Text size="sm">{condition.message}</Text>}
      </Stack>
    </Card>
  );
}

function Share({ label, percent, children }: { readonly label: string; readonly percent: number; readonly children: React.ReactNode }) {
  return (
    <div>
      <Progress value={percent} size="lg" aria-label={label} mb={4} />
      <Text size="sm" component="div">{children}</Text>
    </div>
  );
}

/** What one organization has of a roll-out, in words. */
export function RollOutNote({ app, one }: { readonly app: App; readonly one: Enablement }) {
  const { t } = useTranslation('shell');
  if (one.enabled && app.uiCanary !== null) return <Badge variant="light" tt="none" color={one.frontEnd === 'canary' ? 'blue' : 'gray'}>{t(`apps.gets_${one.frontEnd}`, { version: one.version ?? '–' })}</Badge>;
  if (!one.enabled && one.decidedBy === 'share') return <Text size="xs" c="dimmed">{t('apps.notYet')}</Text>;
  return null;
}
