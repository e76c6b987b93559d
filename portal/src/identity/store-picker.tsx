import { MultiSelect, type MultiSelectProps, Tooltip } from '@mantine/core';
import { useStore } from '../api/store.tsx';

/** The hint for a user's stores. */
export const userStoresHint =
  'Leave empty for all current and future stores. Managing users and the settings of the chain requires access to all stores.';

/** Selects the stores that a credential is restricted to. If none is selected, there is no restriction. */
export function StorePicker(props: MultiSelectProps & { value?: string[] }) {
  const { stores } = useStore();
  return (
    <MultiSelect
      label="Stores"
      description="Leave empty for all current and future stores. Creating products and changing barcodes require access to all stores."
      placeholder={props.value?.length ? '' : 'All stores'}
      data={stores.map(({ vendor_id, name }) => ({ value: vendor_id, label: name }))}
      searchable
      {...props}
    />
  );
}

/** Lists a credential's stores in a table cell. Null means all stores. */
export function StoreList({ value }: { value: string[] | null }) {
  const { stores } = useStore();
  if (!value) return 'All';
  const nameOf = (id: string | undefined) => stores.find((store) => store.vendor_id === id)?.name ?? id;
  return (
    <Tooltip label={value.map(nameOf).join(', ')} multiline maw={320}>
      <span className="nowrap">{value.length === 1 ? nameOf(value[0]) : `${value.length} stores`}</span>
    </Tooltip>
  );
}
