import { Alert, SimpleGrid, Stack, Title } from '@mantine/core';
import { Loaded, notifyDone, Page, PageHeader, useSearchParams, useTranslation } from '@satellite/web-kit';
import { useEffect } from 'react';
import { hooks } from '../../api/shell-api.js';
import { useCan } from '../../session/me.js';
import { CurrentPlan } from './current-plan.js';
import { Invoices } from './invoices.js';
import { PaymentMethods } from './payment-methods.js';
import { PlanChooser } from './plan-chooser.js';
import { UsageBars } from './usage-bars.js';

/** The organization's plan, what it has used of it, and how it pays. */
export function BillingPage() {
  const { t } = useTranslation('shell');
  const can = useCan();
  const [search, setSearch] = useSearchParams();
  const current = hooks.useQuery('get', '/subscriptions/current', {}, { refetchInterval: search.has('checkout') ? 1500 : false });
  const usage = hooks.useQuery('get', '/subscriptions/usage');
  const paid = search.get('checkout') === 'success';
  const plan = current.data?.data.planCode;
  useEffect(() => {
    if (paid) notifyDone(t('billing.paid'));
  }, [paid, t]);
  useEffect(() => {
    if (paid && plan !== 'HOBBY' && plan !== undefined) {
      setSearch({}, { replace: true });
      void usage.refetch();
    }
  }, [paid, plan]); // the address keeps asking until the processor's message has come
  return (
    <Page>
      <PageHeader title={t('billing.title')} description={t('billing.text')} />
      {paid && <Alert mb="md" role="status">{t('billing.waiting')}</Alert>}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Loaded query={current}>{({ data }) => <CurrentPlan subscription={data} />}</Loaded>
        <Loaded query={usage}>{({ data }) => <UsageBars usage={data} />}</Loaded>
      </SimpleGrid>
      {can('subscriptions:admin') && current.data && (
        <Stack mt="xl" gap="xl">
          <div><Title order={2} mb="md">{t('billing.plans')}</Title><PlanChooser current={current.data.data} /></div>
          <PaymentMethods />
          <Invoices />
        </Stack>
      )}
    </Page>
  );
}
