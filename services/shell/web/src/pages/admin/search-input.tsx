import { TextInput } from '@mantine/core';
import { useTranslation } from '@satellite/web-kit';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';

export function SearchInput({ value, onChange, label }: { readonly value: string; readonly onChange: (text: string) => void; readonly label: string }) {
  const { t } = useTranslation('kit');
  return <TextInput aria-label={label} placeholder={t('search')} leftSection={<IconSearch size={16} aria-hidden />} value={value} onChange={(event) => onChange(event.currentTarget.value)} maw={340} mb="md" type="search" />;
}
