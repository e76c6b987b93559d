import { MultiSelect, type MultiSelectProps, Tooltip } from '@mantine/core';
import { useStoreOptions } from '../kit/store-options.ts';
import { useMessages } from '../messages/use-messages.ts';

/** Selects the stores that a credential is restricted to. If none is selected, there is no restriction. */
export function StorePicker(props: MultiSelectProps & { value?: string[] }) {
  const t = useMessages();
  const options = useStoreOptions();
  return (
    <MultiSelect
      label={t('credentials.stores')}
      description={t('credentials.storesHelp')}
      placeholder={props.value?.length ? '' : t('credentials.allStores')}
      data={options}
      searchable
      {...props}
    />
  );
}

/** Lists a credential's stores in a table cell. Null means all stores. */
export function StoreList({ value }: { value: string[] | null }) {
  const t = useMessages();
  const options = useStoreOptions();
  if (!value) return t('credentials.all');
  const nameOf = (id: string | undefined) => options.find((store) => store.value === id)?.label ?? id;
  return (
    <Tooltip label={value.map(nameOf).join(', ')} multiline maw={320}>
      <span className="nowrap">
        {value.length === 1 ? nameOf(value[0]) : t('credentials.storeCount', { count: value.length })}
      </span>
    </Tooltip>
  );
}
