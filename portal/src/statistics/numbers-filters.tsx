import { statisticsPeriods } from '@aisle/contract/store-statistics';
import { Group, SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import { useStore } from '../api/store.tsx';
import { DateRangeInput } from '../kit/dates.tsx';
import { SearchField } from '../kit/search-field.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { NumbersSearch } from './search.ts';

type Props = { search: NumbersSearch; onChange(part: Partial<NumbersSearch>): void };

export function NumbersFilters({ search, onChange }: Props) {
  const t = useMessages();
  const { stores } = useStore();
  const [isCustom, setIsCustom] = useState(search.first !== undefined);
  const chosen = isCustom ? 'CUSTOM' : (search.period ?? 'LAST_7_DAYS');
  const choose = (value: string) => {
    setIsCustom(value === 'CUSTOM');
    const period = statisticsPeriods.find((known) => known === value);
    if (period) onChange({ period, first: undefined, last: undefined });
  };
  const zones = [...new Set([...stores.map(({ timezone }) => timezone), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label={t('numbers.period')}
        value={chosen}
        onChange={choose}
        data={[
          { value: 'YESTERDAY', label: t('numbers.yesterday') },
          { value: 'LAST_7_DAYS', label: t('numbers.days7') },
          { value: 'LAST_30_DAYS', label: t('numbers.days30') },
          { value: 'CUSTOM', label: t('numbers.custom') },
        ]}
      />
      {isCustom && <Days search={search} onChange={onChange} />}
      <Select
        aria-label={t('numbers.zone')}
        placeholder={t('numbers.zoneOfStore')}
        data={zones}
        value={search.zone ?? null}
        onChange={(zone) => onChange({ zone: zone ?? undefined })}
        searchable
        clearable
        limit={50}
        w={{ base: '100%', sm: 270 }}
      />
      {(stores.length > 7 || search.term) && (
        <SearchField
          label={t('numbers.filter')}
          placeholder={t('numbers.filter')}
          term={search.term}
          onSearch={(term) => onChange({ term })}
        />
      )}
    </Group>
  );
}

function Days({ search, onChange }: Props) {
  const t = useMessages();
  const [days, setDays] = useState<[string | null, string | null]>([search.first ?? null, search.last ?? null]);
  const dayMs = 86_400_000;
  const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
  return (
    <DateRangeInput
      aria-label={`${t('numbers.first')} – ${t('numbers.last')}`}
      placeholder={`${t('numbers.first')} – ${t('numbers.last')}`}
      allowSingleDateInRange
      value={days}
      minDate={day(58)}
      maxDate={day(0)}
      onChange={(chosen) => {
        setDays(chosen);
        const [first, last] = chosen;
        if (first && last) onChange({ period: undefined, first, last });
      }}
      w={{ base: '100%', sm: 260 }}
    />
  );
}
