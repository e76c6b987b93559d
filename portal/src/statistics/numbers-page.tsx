import { lateAfterMinutes } from '@aisle/contract/sizes';
import { Button, Card, Group, List, Pagination, Skeleton, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRead } from '../api/hooks.ts';
import { formatDate } from '../kit/format.ts';
import { Page } from '../kit/page.tsx';
import { saveFile } from '../kit/save-file.ts';
import { useMessages } from '../messages/use-messages.ts';
import { type ColumnId, filterRows, numberColumns, numbersCsv, sortRows, type StoreRow } from './numbers.ts';
import { NumbersFilters } from './numbers-filters.tsx';
import { NumberCards, NumbersTable } from './numbers-table.tsx';
import { type NumbersSearch, numbersQuery } from './search.ts';

const pageSize = 50;

/** Compares the stores of the chain. Sorting and searching are done here, because all stores are loaded at once. */
export function NumbersPage() {
  const t = useMessages();
  const search = useSearch({ from: '/signed-in/numbers' });
  const navigate = useNavigate({ from: '/numbers' });
  const change = (part: Partial<NumbersSearch>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...part }), replace: true });
  const { data } = useRead('getStoreStatistics', { query: numbersQuery(search) }, { refetchInterval: 60_000 });
  const { sort = 'revenue', ascending = false, page = 1 } = search;
  const sortBy = (by: ColumnId) => {
    const isAscending = by === sort ? !ascending : by === 'store';
    change({ sort: by, ascending: isAscending || undefined });
  };
  const found = data && sortRows(filterRows(data.stores, search.term), sort, ascending);
  const rows = found?.slice((page - 1) * pageSize, page * pageSize);
  const totals = search.term || data?.stores.length === 1 ? undefined : data?.totals;
  return (
    <Page
      title={t('numbers.title')}
      about={t('numbers.about')}
      actions={
        found && (
          <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => download(found)}>
            {t('numbers.download')}
          </Button>
        )
      }
    >
      <NumbersFilters search={search} onChange={change} />
      {data && <Range rows={data.stores} isOneZone={search.zone !== undefined} />}
      {!rows && <Skeleton height={320} />}
      {rows?.length === 0 && <Text c="dimmed">{t(search.term ? 'numbers.none' : 'numbers.noStores')}</Text>}
      {data && rows && rows.length > 0 && (
        <Stack gap="sm">
          <Card padding={0} visibleFrom="sm">
            <NumbersTable
              rows={rows}
              totals={totals}
              storeCount={data.stores.length}
              sorting={{ by: sort, isAscending: ascending }}
              onSort={sortBy}
            />
          </Card>
          <NumberCards rows={rows} totals={totals} storeCount={data.stores.length} />
          <Group justify="flex-end">
            <Pagination
              size="sm"
              total={Math.ceil((found?.length ?? 0) / pageSize)}
              value={page}
              onChange={(next) => change({ page: next })}
              hideWithOnePage
            />
          </Group>
        </Stack>
      )}
      <Help />
    </Page>
  );
}

/** Which days are counted, and in which time zone they begin and end. */
function Range({ rows, isOneZone }: { rows: StoreRow[]; isOneZone: boolean }) {
  const t = useMessages();
  const [row] = rows;
  if (!row) return null;
  const show = (day: string) => formatDate(`${day}T12:00:00`);
  const [first, last] = [show(row.first_day), show(row.last_day)];
  const zones = new Set(rows.map(({ timezone }) => timezone));
  return (
    <Text size="sm" c="dimmed" role="status">
      {isOneZone || zones.size === 1
        ? t('numbers.range', { first, last, zone: row.timezone })
        : t('numbers.rangeOfStores', { first, last })}
    </Text>
  );
}

function Help() {
  const t = useMessages();
  return (
    <details>
      <Text component="summary" size="sm" fw={500} style={{ cursor: 'pointer', minHeight: 24 }}>
        {t('numbers.explain')}
      </Text>
      <List size="sm" mt="xs" spacing={4}>
        {numberColumns.map(({ id }) => (
          <List.Item key={id}>
            <Text component="span" size="sm" fw={600}>
              {t(`numbers.${id}`)}
            </Text>
            {': '}
            {id === 'late' ? t('numbers.lateHelp', { minutes: lateAfterMinutes }) : t(`numbers.${id}Help`)}
          </List.Item>
        ))}
      </List>
    </details>
  );
}

function download(rows: StoreRow[]): void {
  const [row] = rows;
  const days = row ? `-${row.first_day}-${row.last_day}` : '';
  saveFile(`stores${days}.csv`, numbersCsv(rows), 'text/csv;charset=utf-8');
}
