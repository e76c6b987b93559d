import { MultiSelect, type MultiSelectProps, Tooltip } from '@mantine/core';
import { useStore } from '../api/store.tsx';

/** The stores a credential is restricted to; none selected means all. */
export function StorePicker(props: MultiSelectProps & { value?: string[] }) {
  const { stores } = useStore();
  return (
    <MultiSelect
      label="Stores"
      description="Leave empty for all current and future stores."
      placeholder={props.value?.length ? '' : 'All stores'}
      data={stores.map(({ vendor_id, name }) => ({ value: vendor_id, label: name }))}
      searchable
      {...props}
    />
  );
}

/** The stores of a credential in a table cell; null means all. */
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
