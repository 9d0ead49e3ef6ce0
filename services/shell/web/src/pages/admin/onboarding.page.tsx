import { Badge, Button, Group, Modal, Select, Stack, Text, Textarea } from '@mantine/core';
import { DataTable, EmptyState, ErrorState, formatDate, formatNumber, notifyDone, Page, PageHeader, useServerForm, useTranslation, type Column, type RowAction } from '@satellite/web-kit';
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs';
import { useState } from 'react';
import { client, hooks, type Schemas } from '../../api/shell-api.js';
import { useCan } from '../../session/me.js';
import { useFieldChecks } from '../auth/fields.js';
import { SearchInput } from './search-input.js';
import { StatusBadge } from './status-badge.js';
import { useList } from './use-list.js';

type Request = Schemas['OnboardingView'];
type Deciding = { readonly request: Request; readonly what: 'approve' | 'reject' };

/** Companies that want to come in, and what was decided. */
export function OnboardingPage() {
  const { t } = useTranslation('shell');
  const list = useList({ sort: '-createdAt', filterOf: (text) => ({ orgName: { contains: text } }) });
  const requests = hooks.useQuery('get', '/onboarding', { params: { query: list.query } });
  const [deciding, decide] = useState<Deciding>();
  const refresh = (): void => void requests.refetch();
  return (
    <Page>
      <PageHeader title={t('onboarding.title')} description={t('onboarding.text')} />
      <SearchInput value={list.text} onChange={list.setText} label={t('onboarding.search')} />
      <DataTable
        label={t('onboarding.title')} rows={requests.data?.data} error={requests.error} onRetry={refresh} columns={useColumns()} keyOf={({ id }) => id} nameOf={({ orgName }) => orgName} actions={useActions(decide)}
        sort={list.sort} onSort={list.setSort} page={{ number: list.page, size: list.query.limit, total: requests.data?.pagination.total ?? 0, onChange: list.setPage }}
        empty={<EmptyState icon={<IconInbox size={28} />} title={t('onboarding.none')}>{t('onboarding.noneText')}</EmptyState>}
      />
      {deciding?.what === 'approve' && <ApproveModal request={deciding.request} onClose={() => decide(undefined)} onDone={refresh} />}
      {deciding?.what === 'reject' && <RejectModal request={deciding.request} onClose={() => decide(undefined)} onDone={refresh} />}
    </Page>
  );
}

function useColumns(): Column<Request>[] {
  const { t } = useTranslation('shell');
  return [
    { key: 'orgName', title: t('onboarding.company'), sort: 'orgName', cell: ({ orgName, companySize, ssoInterest }) => <div><Text size="sm" fw={600}>{orgName}</Text><Group gap={6}><Text size="xs" c="dimmed">{t('onboarding.people', { count: companySize, size: formatNumber(companySize) })}</Text>{ssoInterest && <Badge size="xs" variant="light">SSO</Badge>}</Group></div> },
    { key: 'applicant', title: t('onboarding.applicant'), wideOnly: true, cell: ({ firstName, lastName, applicantEmail }) => <div><Text size="sm">{firstName} {lastName}</Text><Text size="xs" c="dimmed">{applicantEmail}</Text></div> },
    { key: 'plan', title: t('organizations.plan'), wideOnly: true, cell: ({ subscriptionPlan }) => subscriptionPlan ?? '–' },
    { key: 'status', title: t('users.status'), cell: ({ status, reason }) => <div><StatusBadge status={status} />{reason !== null && <Text size="xs" c="dimmed" mt={2} lineClamp={2}>{reason}</Text>}</div> },
    { key: 'createdAt', title: t('onboarding.asked'), sort: 'createdAt', wideOnly: true, cell: ({ createdAt }) => formatDate(createdAt) },
  ];
}

function useActions(decide: (what: Deciding) => void): RowAction<Request>[] {
  const { t } = useTranslation('shell');
  const can = useCan();
  return [
    { label: t('onboarding.approve'), hidden: ({ status }) => status !== 'pending' || !can('onboarding:approve'), onClick: (request) => decide({ request, what: 'approve' }) },
    { label: t('onboarding.reject'), color: 'red', hidden: ({ status }) => status !== 'pending' || !can('onboarding:reject'), onClick: (request) => decide({ request, what: 'reject' }) },
  ];
}

interface DecisionProps {
  readonly request: Request;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function ApproveModal({ request, onClose, onDone }: DecisionProps) {
  const { t } = useTranslation('shell');
  const plans = hooks.useQuery('get', '/plans', { params: { query: { limit: 100 } } });
  const { form, busy, problem, onSubmit } = useServerForm({
    initialValues: { planCode: '' },
    submit: async ({ planCode }) => {
      await client.PUT('/onboarding/{id}/approve', { params: { path: { id: request.id }, header: { 'If-Match': `"${request.version}"` } }, body: planCode === '' ? {} : { planCode } });
      notifyDone(t('onboarding.approved', { name: request.orgName, email: request.applicantEmail }));
      onDone();
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={t('onboarding.approveAsk', { name: request.orgName })} closeButtonProps={{ 'aria-label': t('kit:close') }}>
      <form onSubmit={onSubmit}>
        <Stack>
          <Text size="sm">{t('onboarding.approveText', { email: request.applicantEmail })}</Text>
          {problem !== undefined && <ErrorState error={problem} />}
          <Select label={t('organizations.plan')} description={t('onboarding.planHint')} placeholder={request.subscriptionPlan ?? t('auth.free')} data={(plans.data?.data ?? []).map(({ code, name }) => ({ value: code, label: name }))} clearable {...form.getInputProps('planCode')} onChange={(value) => form.setFieldValue('planCode', value ?? '')} />
          <Group justify="flex-end"><Button variant="default" onClick={onClose}>{t('kit:cancel')}</Button><Button type="submit" loading={busy}>{t('onboarding.approve')}</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}

function RejectModal({ request, onClose, onDone }: DecisionProps) {
  const { t } = useTranslation('shell');
  const { required } = useFieldChecks();
  const { form, busy, problem, onSubmit } = useServerForm({
    initialValues: { reason: '' },
    validate: { reason: required },
    submit: async (body) => {
      await client.PUT('/onboarding/{id}/reject', { params: { path: { id: request.id }, header: { 'If-Match': `"${request.version}"` } }, body });
      notifyDone(t('onboarding.rejected', { name: request.orgName }));
      onDone();
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={t('onboarding.rejectAsk', { name: request.orgName })} closeButtonProps={{ 'aria-label': t('kit:close') }}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          {problem !== undefined && <ErrorState error={problem} />}
          <Textarea label={t('onboarding.reason')} autosize minRows={3} data-autofocus {...form.getInputProps('reason')} />
          <Group justify="flex-end"><Button variant="default" onClick={onClose}>{t('kit:cancel')}</Button><Button type="submit" color="red" loading={busy}>{t('onboarding.reject')}</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
