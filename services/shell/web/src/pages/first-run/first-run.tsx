import { Button, Card, CloseButton, Code, Group, Progress, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { Link, notifyError, useTranslation } from '@satellite/web-kit';
import { useQueryClient } from '@tanstack/react-query';
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
import { client } from '../../api/shell-api.js';
import { useCan, useMe } from '../../session/me.js';
import { Samples } from './samples.js';
import { useSteps, type Step } from './use-steps.js';

/** Key among the person's preferences. */
const HIDDEN = 'firstRunHidden';

/** Guides the administrator of a new platform through what it needs; gone for good when they hide it. */
export function FirstRun() {
  const can = useCan();
  const { preferences } = useMe();
  if (!can('apps:write') || !can('settings:read') || preferences[HIDDEN] === true) return null;
  return <Guide />;
}

function Guide() {
  const { t } = useTranslation('shell');
  const queries = useQueryClient();
  const steps = useSteps();
  const hide = async (): Promise<void> => {
    await client.PUT('/auth/me/preferences', { body: { [HIDDEN]: true } });
    await queries.invalidateQueries({ queryKey: ['get', '/auth/me'] });
  };
  // Nothing rather than grey lines: most who see the launchpad do not wait for this.
  if (steps === undefined) return null;
  const done = steps.filter((step) => step.done).length;
  return (
    <Card component="section" aria-labelledby="first-run" mb="xl">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} id="first-run">{t('firstRun.title')}</Title>
          <Text size="sm" c="dimmed" role="status">{done === steps.length ? t('firstRun.allDone') : t('firstRun.progress', { done, total: steps.length })}</Text>
        </div>
        <CloseButton aria-label={t('firstRun.hide')} title={t('firstRun.hide')} onClick={() => void hide().catch((error: unknown) => notifyError(error))} />
      </Group>
      <Progress value={(100 * done) / steps.length} size="sm" mt="sm" mb="md" aria-hidden color="teal" />
      <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map((step, index) => <StepRow key={step.name} step={step} number={index + 1} />)}
      </Stack>
      <Samples />
    </Card>
  );
}

function StepRow({ step: { name, done, to, app }, number }: { readonly step: Step; readonly number: number }) {
  const { t } = useTranslation('shell');
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Group wrap="nowrap" gap="sm" flex="1 1 260px" align="flex-start">
        <ThemeIcon radius="xl" size={28} variant="light" color={done ? 'teal' : 'gray'} fz="sm" fw={600} aria-hidden>{done ? <IconCheck size={16} /> : number}</ThemeIcon>
        <div>
          <Text fw={600} size="sm"><VisuallyHidden>{t(done ? 'firstRun.isDone' : 'firstRun.open')}: </VisuallyHidden>{t(`firstRun.${name}`)}</Text>
          <Text size="sm" c="dimmed">{t(`firstRun.${name}Text`, { app })}{name === 'satellite' && <> <Code style={{ whiteSpace: 'nowrap' }}>make new-service NAME=notes</Code></>}</Text>
        </div>
      </Group>
      {!done && <Button component={Link} to={to} size="xs" variant="default" ml={{ base: 40, sm: 0 }}>{t(`firstRun.${name}Go`, { app })}</Button>}
    </Group>
  );
}
