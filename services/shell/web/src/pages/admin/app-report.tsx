import { Alert, Card, Code, Group, Text, Title } from '@mantine/core';
import { formatRelative, formatTime, useTranslation } from '@satellite/web-kit';
import type { Schemas } from '../../api/shell-api.js';
import { ConditionTable, type ConditionRow, type Standing } from './condition-table.js';

type App = Schemas['AppView'];
type Report = NonNullable<App['report']>;

/** Conditions that should not hold. */
const UNWANTED: readonly string[] = ['Drifted', 'Degraded', 'Stalled', 'Reconciling'];

/** What the operator found when it last checked the SatelliteApp; without one, who is responsible instead. */
export function AppReport({ app }: { readonly app: App }) {
  const { t } = useTranslation('shell');
  const { report, source } = app;
  return (
    <Card>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3">{t('apps.report')}</Title>
        {report && <Text size="sm" c="dimmed" title={formatTime(report.reportedAt)}>{t('apps.reported', { when: formatRelative(report.reportedAt), generation: report.observedGeneration })}</Text>}
      </Group>
      {report ? <Reported report={report} /> : <Text size="sm" c="dimmed">{t(`apps.nobodyReports_${app.managedBy}`)}</Text>}
      {app.managedBy === 'operator' && source && <Text size="sm" c="dimmed" mt="sm">{t('apps.reportSource')} <Code>{`kubectl -n ${source.namespace} describe satelliteapp ${source.name}`}</Code></Text>}
    </Card>
  );
}

function Reported({ report }: { readonly report: Report }) {
  const { t } = useTranslation('shell');
  const { degraded, degradedSince, observedVersion, conditions } = report;
  const rows = conditions.map(({ type, status, reason, message, lastTransitionTime }): ConditionRow => ({ id: type, name: t(`apps.type_${type}`, { defaultValue: type }), status: status.toLowerCase() as Standing, unwanted: UNWANTED.includes(type), reason, message, since: lastTransitionTime }));
  return (
    <>
      {degraded && <Alert variant="light" color="orange" mb="sm" title={t('apps.degradedTitle')}>{t('apps.degradedText', { when: degradedSince === null ? '' : formatTime(degradedSince) })}</Alert>}
      {observedVersion !== null && <Text size="sm" mb="xs">{t('apps.reportedVersion')} <Code>{observedVersion}</Code></Text>}
      <ConditionTable label={t('apps.report')} rows={rows.sort(readyFirst)} />
    </>
  );
}

/** Ready sums up. */
function readyFirst(a: ConditionRow, b: ConditionRow): number {
  return Number(b.id === 'Ready') - Number(a.id === 'Ready');
}
