import { Select } from '@mantine/core';
import { IconBuildingStore } from '@tabler/icons-react';
import { useStore } from '../api/store.tsx';
import { useMessages } from '../messages/use-messages.ts';

export function StoreSwitcher() {
  const t = useMessages();
  const { store, stores, choose } = useStore();
  return (
    <Select
      aria-label={t('shell.store')}
      w={{ base: 150, sm: 300, lg: 320 }}
      value={store.vendor_id}
      onChange={(value) => value && choose(value)}
      allowDeselect={false}
      searchable={stores.length > 7}
      nothingFoundMessage={t('kit.noResults')}
      leftSection={<IconBuildingStore size={16} stroke={1.6} aria-hidden />}
      data={stores.map(({ vendor_id, name }) => ({ value: vendor_id, label: name }))}
      maxDropdownHeight={360}
    />
  );
}
