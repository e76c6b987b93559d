import { Badge, Text } from '@mantine/core';
import { useState } from 'react';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Copyable } from '../kit/copy.tsx';
import { Page } from '../kit/page.tsx';
import { type Store, useStore } from '../api/store.tsx';
import { StoreSettings } from './store-settings.tsx';

export function StoresPage() {
  const { stores } = useStore();
  const [opened, setOpened] = useState<Store>();
  return (
    <Page title="Stores" about="The stores in your chain. Select one to view or change its settings.">
      <DataTable
        label="Stores"
        columns={columns}
        rows={stores}
        keyOf={(store) => store.vendor_id}
        empty={null}
        onOpen={setOpened}
      />
      {opened && <StoreSettings store={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}

const columns: Column<Store>[] = [
  {
    head: 'Store',
    cell: ({ name, test }) => (
      <Text
        size="sm"
        fw={500}
        component="button"
        type="button"
        style={{ all: 'unset', cursor: 'pointer', fontWeight: 500 }}
      >
        {name}{' '}
        {test && (
          <Badge size="xs" variant="outline" color="gray" tt="none">
            test
          </Badge>
        )}
      </Text>
    ),
  },
  { head: 'Platform id', cell: ({ vendor_id }) => <Copyable value={vendor_id} label={`Copy ${vendor_id}`} /> },
  { head: 'Your store number', cell: ({ external_id }) => external_id ?? '–' },
  {
    head: 'Delivery',
    cell: ({ transport_type }) => (transport_type === 'LOGISTICS_DELIVERY' ? 'Platform' : 'Store'),
  },
  { head: 'Currency', cell: ({ currency }) => currency },
  { head: 'Language', cell: ({ locale }) => locale, isExtra: true },
  {
    head: 'Time zone',
    cell: ({ timezone }) => timezone.replaceAll('_', ' '),
    isExtra: true,
  },
];
