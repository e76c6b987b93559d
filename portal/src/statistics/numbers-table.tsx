import { Card, SimpleGrid, Stack, Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useMessages } from '../messages/use-messages.ts';
import { NumberCell } from './number-cell.tsx';
import { type ColumnId, numberColumns, type StoreRow, type Totals } from './numbers.ts';

export type Sorting = { by: ColumnId; isAscending: boolean };
type Props = {
  rows: StoreRow[];
  totals: Totals | undefined;
  storeCount: number;
  sorting: Sorting;
  onSort(by: ColumnId): void;
};

/** One row per store and, above them, all stores together. */
export function NumbersTable({ rows, totals, storeCount, sorting, onSort }: Props) {
  const t = useMessages();
  const allStores = t('numbers.all', { count: storeCount });
  return (
    <Table.ScrollContainer minWidth={720} type="native" visibleFrom="sm">
      <Table aria-label={t('numbers.title')} horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <SortHead id="store" sorting={sorting} onSort={onSort} />
            {numberColumns.map(({ id }) => (
              <SortHead key={id} id={id} sorting={sorting} onSort={onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {totals && (
            <Table.Tr fw={600} bg="var(--aisle-ground)">
              <Table.Th scope="row">{allStores}</Table.Th>
              {numberColumns.map((column) => (
                <Table.Td key={column.id} className="number">
                  <NumberCell column={column} row={totals} name={t('numbers.allStores')} />
                </Table.Td>
              ))}
            </Table.Tr>
          )}
          {rows.map((row) => (
            <Table.Tr key={row.vendor_id}>
              <Table.Th scope="row" fw={500}>
                {row.name}
                {row.external_id && (
                  <Text size="xs" c="dimmed" fw={400}>
                    {row.external_id}
                  </Text>
                )}
              </Table.Th>
              {numberColumns.map((column) => (
                <Table.Td key={column.id} className="number">
                  <NumberCell column={column} row={row} name={row.name} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

type HeadProps = { id: ColumnId; sorting: Sorting; onSort(by: ColumnId): void };

function SortHead({ id, sorting, onSort }: HeadProps) {
  const t = useMessages();
  const isSorted = sorting.by === id;
  const Icon = sorting.isAscending ? IconArrowUp : IconArrowDown;
  return (
    <Table.Th
      className={id === 'store' ? undefined : 'number'}
      aria-sort={isSorted ? (sorting.isAscending ? 'ascending' : 'descending') : 'none'}
    >
      <UnstyledButton
        fz="inherit"
        fw="inherit"
        onClick={() => onSort(id)}
        title={t('numbers.sortBy', { column: t(`numbers.${id}`) })}
      >
        {t(`numbers.${id}`)}
        {isSorted && <Icon size={14} aria-hidden style={{ marginInlineStart: 4, verticalAlign: 'text-bottom' }} />}
      </UnstyledButton>
    </Table.Th>
  );
}

/** The same numbers for phones, one card per store. */
export function NumberCards({ rows, totals, storeCount }: Pick<Props, 'rows' | 'totals' | 'storeCount'>) {
  const t = useMessages();
  return (
    <Stack gap="sm" hiddenFrom="sm">
      {totals && <NumbersOf row={totals} name={t('numbers.all', { count: storeCount })} />}
      {rows.map((row) => (
        <NumbersOf key={row.vendor_id} row={row} name={row.name} />
      ))}
    </Stack>
  );
}

function NumbersOf({ row, name }: { row: StoreRow | Totals; name: string }) {
  const t = useMessages();
  return (
    <Card component="section" aria-label={name}>
      <Text fw={600} mb="xs">
        {name}
      </Text>
      <SimpleGrid cols={2} spacing="sm" verticalSpacing="xs">
        {numberColumns.map((column) => (
          <div key={column.id} style={{ minHeight: 48 }}>
            <Text size="xs" c="dimmed">
              {t(`numbers.${column.id}`)}
            </Text>
            <NumberCell column={column} row={row} name={name} />
          </div>
        ))}
      </SimpleGrid>
    </Card>
  );
}
