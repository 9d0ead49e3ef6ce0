import { Button, Group, Modal, Select, Stack } from '@mantine/core';
import { ErrorState, notifyDone, useServerForm, useTranslation } from '@satellite/web-kit';
import { client, hooks, type Schemas } from '../../api/shell-api.js';

/** An administrator's word on a plan: without payment. */
export function OrganizationPlanModal({ organization, onClose, onDone }: { readonly organization: Schemas['OrganizationView']; readonly onClose: () => void; readonly onDone: () => void }) {
  const { t } = useTranslation('shell');
  const plans = hooks.useQuery('get', '/plans', { params: { query: { limit: 100 } } });
  const { form, busy, problem, onSubmit } = useServerForm({
    initialValues: { planCode: organization.subscriptionPlan },
    submit: async (body) => {
      await client.PUT('/organizations/{id}/subscription', { params: { path: { id: organization.id } }, body });
      notifyDone(t('account.saved'));
      onDone();
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={t('organizations.planOf', { name: organization.name })} closeButtonProps={{ 'aria-label': t('kit:close') }}>
      <form onSubmit={onSubmit}>
        <Stack>
          {problem !== undefined && <ErrorState error={problem} />}
          <Select label={t('organizations.plan')} data={(plans.data?.data ?? []).map(({ code, name }) => ({ value: code, label: name }))} allowDeselect={false} {...form.getInputProps('planCode')} />
          <Group justify="flex-end"><Button variant="default" onClick={onClose}>{t('kit:cancel')}</Button><Button type="submit" loading={busy}>{t('kit:save')}</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
