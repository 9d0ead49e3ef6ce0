import { ActionIcon, Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { confirm, Loaded, notifyDone, notifyError, useTranslation } from '@satellite/web-kit';
import IconCreditCard from '@tabler/icons-react/dist/esm/icons/IconCreditCard.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { hooks, type Schemas } from '../../api/shell-api.js';

/** Saved cards; new ones are entered on the processor's own page. */
export function PaymentMethods() {
  const { t } = useTranslation('shell');
  const methods = hooks.useQuery('get', '/subscriptions/payment-methods', {}, { retry: false });
  return (
    <div>
      <Title order={2} mb="md">{t('billing.methods')}</Title>
      <Loaded query={methods}>
        {({ data }) => (data.length === 0 ? <Text size="sm" c="dimmed">{t('billing.noMethods')}</Text> : <Stack gap="sm">{data.map((method) => <Method key={method.id} method={method} onChange={() => void methods.refetch()} />)}</Stack>)}
      </Loaded>
    </div>
  );
}

function Method({ method, onChange }: { readonly method: Schemas['PaymentMethodView']; readonly onChange: () => void }) {
  const { t } = useTranslation('shell');
  const params = { params: { path: { paymentMethodId: method.id } } };
  const failed = { onError: (error: unknown) => notifyError(error) };
  const prefer = hooks.useMutation('put', '/subscriptions/payment-methods/{paymentMethodId}/default', { ...failed, onSuccess: onChange });
  const remove = hooks.useMutation('delete', '/subscriptions/payment-methods/{paymentMethodId}', { ...failed, onSuccess: () => { notifyDone(t('billing.methodRemoved')); onChange(); } });
  const name = t('billing.card', { brand: method.brand.charAt(0).toUpperCase() + method.brand.slice(1), last4: method.last4 });
  const ask = async (): Promise<void> => {
    if (await confirm({ title: t('billing.removeCard'), children: name })) remove.mutate(params);
  };
  return (
    <Card padding="sm" maw={560}>
      <Group justify="space-between" wrap="nowrap">
        <Group wrap="nowrap"><IconCreditCard size={22} stroke={1.5} aria-hidden /><div><Text size="sm" fw={600}>{name}</Text><Text size="xs" c="dimmed">{t('billing.expires', { month: String(method.expMonth).padStart(2, '0'), year: method.expYear })}</Text></div>{method.isDefault && <Badge variant="light" tt="none">{t('billing.default')}</Badge>}</Group>
        <Group gap="xs" wrap="nowrap">{!method.isDefault && <Button size="compact-sm" variant="subtle" onClick={() => prefer.mutate(params)}>{t('billing.makeDefault')}</Button>}<ActionIcon variant="subtle" color="red" aria-label={`${t('users.remove')}: ${name}`} onClick={() => void ask()}><IconTrash size={16} aria-hidden /></ActionIcon></Group>
      </Group>
    </Card>
  );
}
