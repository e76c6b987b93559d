import { orderOutcomes } from '@aisle/contract/order';
import { Pill, Select, Switch } from '@mantine/core';
import { formatShortDateTime } from '../kit/format.ts';
import { useMessages } from '../messages/use-messages.ts';
import type { OrderSearch } from './search.ts';

type Props = { search: OrderSearch; onChange(part: Partial<OrderSearch>): void };

/** Filters by what became of the order and by store, and the filters that a link from another page has set. */
export function MoreFilters({ search, onChange }: Props) {
  const t = useMessages();
  return (
    <>
      <Select
        aria-label={t('orderFilter.outcome')}
        placeholder={t('orderFilter.anyOutcome')}
        data={orderOutcomes.map((outcome) => ({ value: outcome, label: t(`orderFilter.${outcome}`) }))}
        value={search.outcome ?? null}
        onChange={(outcome) => onChange({ outcome: outcome ?? undefined })}
        clearable
        w={{ base: '100%', sm: 200 }}
      />
      <Switch
        label={t('orderFilter.allStores')}
        checked={search.all ?? false}
        onChange={(event) => onChange({ all: event.currentTarget.checked || undefined })}
      />
      {search.from && search.to && (
        <Removable
          filter={t('orderFilter.range', {
            from: formatShortDateTime(search.from),
            to: formatShortDateTime(search.to),
          })}
          onRemove={() => onChange({ from: undefined, to: undefined })}
        />
      )}
      {search.test === false && (
        <Removable filter={t('orderFilter.withoutTests')} onRemove={() => onChange({ test: undefined })} />
      )}
    </>
  );
}

function Removable({ filter, onRemove }: { filter: string; onRemove(): void }) {
  const t = useMessages();
  return (
    <Pill
      size="lg"
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{ 'aria-label': t('orderFilter.remove', { filter }), 'aria-hidden': false, tabIndex: 0 }}
    >
      {filter}
    </Pill>
  );
}
