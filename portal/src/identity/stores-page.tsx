import { Badge, Button, Card, Checkbox, Group, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { usePermission } from '../api/session.tsx';
import { type Store, useStore } from '../api/store.tsx';
import { Copyable } from '../kit/copy.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { formatLocale } from '../kit/format.ts';
import { Page } from '../kit/page.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { CloseStores, Failures } from '../outlets/change-stores.tsx';
import { StatusOf } from '../outlets/status.tsx';
import { useChangeStores } from '../outlets/use-change-stores.ts';
import { useStatuses } from '../outlets/use-statuses.ts';
import { StoreSettings } from './store-settings.tsx';

export function StoresPage() {
  const t = useMessages();
  const may = usePermission();
  const { stores } = useStore();
  const [opened, setOpened] = useState<Store>();
  const [selected, setSelected] = useState<string[]>([]);
  const columns = useColumns();
  const selection = useSelectionColumn(selected, setSelected);
  return (
    <Page title={t('stores.title')} about={t('stores.about')}>
      {selected.length > 0 && <SelectionBar selected={selected} onClear={() => setSelected([])} />}
      <DataTable
        label={t('stores.title')}
        columns={may('putOutletStatuses') ? [selection, ...columns] : columns}
        rows={stores}
        keyOf={(store) => store.vendor_id}
        empty={null}
        onOpen={setOpened}
      />
      {opened && <StoreSettings store={opened} onClose={() => setOpened(undefined)} />}
    </Page>
  );
}

function SelectionBar({ selected, onClear }: { selected: string[]; onClear(): void }) {
  const t = useMessages();
  const [isClosing, { open, close }] = useDisclosure(false);
  const { change, failures, isPending } = useChangeStores();
  return (
    <Card padding="sm" role="region" aria-label={t('stores.selected', { count: selected.length })}>
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {t('stores.selected', { count: selected.length })}
        </Text>
        <Group gap="xs">
          <Button variant="subtle" onClick={onClear}>
            {t('stores.clear')}
          </Button>
          <Button
            variant="default"
            loading={isPending}
            onClick={() => change({ vendor_ids: selected, status: 'OPEN' }, onClear)}
          >
            {t('outlets.open', { count: selected.length })}
          </Button>
          <Button color="red.8" onClick={open}>
            {t('outlets.closeTitle', { count: selected.length })}
          </Button>
        </Group>
      </Group>
      <Failures failures={failures} />
      {isClosing && <CloseStores vendorIds={selected} onClose={close} />}
    </Card>
  );
}

function useSelectionColumn(selected: string[], select: (ids: string[]) => void): Column<Store> {
  const t = useMessages();
  const { stores } = useStore();
  const isAll = selected.length === stores.length;
  return {
    head: (
      <Checkbox
        aria-label={t('stores.selectAll')}
        checked={isAll}
        indeterminate={selected.length > 0 && !isAll}
        onChange={() => select(isAll ? [] : stores.map((store) => store.vendor_id))}
      />
    ),
    width: 44,
    cell: ({ vendor_id, name }) => (
      <Checkbox
        aria-label={t('stores.select', { store: name })}
        checked={selected.includes(vendor_id)}
        onChange={() =>
          select(selected.includes(vendor_id) ? selected.filter((id) => id !== vendor_id) : [...selected, vendor_id])
        }
      />
    ),
  };
}

function useColumns(): Column<Store>[] {
  const t = useMessages();
  const statuses = useStatuses();
  return [
    { head: t('stores.store'), label: '', cell: (store) => <NameOf store={store} /> },
    { head: t('stores.status'), cell: ({ vendor_id }) => <StatusOf outlet={statuses?.get(vendor_id)} /> },
    { head: t('stores.platformId'), cell: ({ vendor_id }) => <Copyable value={vendor_id} /> },
    { head: t('stores.number'), cell: ({ external_id }) => external_id ?? '–' },
    {
      head: t('stores.delivery'),
      cell: ({ transport_type }) =>
        transport_type === 'LOGISTICS_DELIVERY' ? t('stores.byPlatform') : t('stores.byStore'),
      isExtra: true,
    },
    { head: t('stores.currency'), cell: ({ currency }) => currency, isExtra: true },
    { head: t('stores.language'), cell: ({ locale }) => formatLocale(locale), isExtra: true },
    { head: t('stores.timeZone'), cell: ({ timezone }) => timezone.replaceAll('_', ' '), isExtra: true },
  ];
}

function NameOf({ store: { name, test } }: { store: Store }) {
  const t = useMessages();
  return (
    <UnstyledButton fz="sm" fw={500}>
      {name}{' '}
      {test && (
        <Badge size="xs" variant="outline" color="gray" tt="none">
          {t('stores.test')}
        </Badge>
      )}
    </UnstyledButton>
  );
}
