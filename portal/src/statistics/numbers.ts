import { writeCsv } from '@aisle/contract/csv';
import type { Query, ResponseBody } from '../api/operations.ts';

/** What the page that compares stores shows in each column. Pure. */

export type StoreRow = ResponseBody<'getStoreStatistics'>['stores'][number];
export type Totals = ResponseBody<'getStoreStatistics'>['totals'];
type Numbers = Omit<Totals, 'from' | 'to'>;

export const columnIds = ['store', 'revenue', 'orders', 'cancelled', 'found', 'replaced', 'pickTime', 'late'] as const;
export type ColumnId = (typeof columnIds)[number];
export type NumberColumn = {
  id: Exclude<ColumnId, 'store'>;
  unit: 'money' | 'count' | 'share' | 'minutes';
  value(row: Numbers): number | null;
  /** The number of orders in the list that the number opens, and the filters of that list. */
  behind(row: Numbers): number;
  filter: Pick<Query<'listOrders'>, 'status' | 'outcome'>;
};

export const numberColumns: NumberColumn[] = [
  {
    id: 'revenue',
    unit: 'money',
    value: ({ revenue }) => revenue[0]?.amount ?? null,
    behind: (row) => row.fulfilled_orders,
    filter: { outcome: 'FULFILLED' },
  },
  { id: 'orders', unit: 'count', value: (row) => row.orders, behind: (row) => row.orders, filter: {} },
  {
    id: 'cancelled',
    unit: 'share',
    value: (row) => row.cancelled_rate,
    behind: (row) => row.cancelled_orders,
    filter: { status: 'CANCELLED' },
  },
  {
    id: 'found',
    unit: 'share',
    value: (row) => row.found_rate,
    behind: (row) => row.orders_with_missing_items,
    filter: { outcome: 'MISSING_ITEMS' },
  },
  {
    id: 'replaced',
    unit: 'share',
    value: (row) => row.replaced_rate,
    behind: (row) => row.orders_with_replaced_items,
    filter: { outcome: 'REPLACED_ITEMS' },
  },
  {
    id: 'pickTime',
    unit: 'minutes',
    value: (row) => row.pick_minutes,
    behind: (row) => row.timed_orders,
    filter: { outcome: 'TIMED' },
  },
  {
    id: 'late',
    unit: 'share',
    value: (row) => row.late_rate,
    behind: (row) => row.late_orders,
    filter: { outcome: 'LATE' },
  },
];

/** The URL search parameters of the list of orders behind a number. Undefined for totals without a common period. */
export function ordersBehind(column: NumberColumn, row: StoreRow | Totals) {
  const { from, to } = row;
  if (from === null || to === null) return undefined;
  const scope = 'vendor_id' in row ? { store: row.vendor_id } : { all: true as const };
  return { ...scope, ...column.filter, from, to, test: false as const };
}

/** Sorts by store name or by a number; stores without the number come last. */
export function sortRows(rows: readonly StoreRow[], sort: ColumnId, isAscending: boolean): StoreRow[] {
  const byName = (a: StoreRow, b: StoreRow) => a.name.localeCompare(b.name, undefined, { numeric: true });
  const sign = isAscending ? 1 : -1;
  if (sort === 'store') return rows.toSorted((a, b) => sign * byName(a, b));
  const column = numberColumns.find(({ id }) => id === sort);
  const valueOf = (row: StoreRow) => column?.value(row) ?? null;
  // Amounts in different currencies cannot be compared.
  const currencyOf = (row: StoreRow) => (sort === 'revenue' ? (row.revenue[0]?.currency ?? '') : '');
  return rows.toSorted((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null) || byName(a, b);
    return currencyOf(a).localeCompare(currencyOf(b)) || sign * (one - other) || byName(a, b);
  });
}

export function filterRows(rows: readonly StoreRow[], term: string | undefined): StoreRow[] {
  const words = (term ?? '').toLowerCase().split(/\s+/);
  return rows.filter(({ vendor_id, external_id, name }) => {
    const text = `${name} ${external_id ?? ''} ${vendor_id}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** One row per store. Each currency has its own column, so that a spreadsheet does not add them up. */
export function numbersCsv(rows: readonly StoreRow[]): string {
  const currencies = [...new Set(rows.flatMap(({ revenue }) => revenue.map(({ currency }) => currency)))].toSorted();
  const fields = [
    'orders',
    'cancelled_orders',
    'cancelled_rate',
    'fulfilled_orders',
    'ordered_items',
    'found_items',
    'found_rate',
    'orders_with_missing_items',
    'replaced_items',
    'replaced_rate',
    'orders_with_replaced_items',
    'timed_orders',
    'pick_minutes',
    'late_orders',
    'late_rate',
  ] as const;
  const about = ['vendor_id', 'external_id', 'name', 'first_day', 'last_day', 'timezone'] as const;
  return writeCsv([
    [...about, ...currencies.map((currency) => `revenue_${currency}`), ...fields],
    ...rows.map((row) => [
      ...about.map((field) => row[field] ?? ''),
      ...currencies.map((one) => String(row.revenue.find(({ currency }) => currency === one)?.amount ?? '')),
      ...fields.map((field) => String(row[field] ?? '')),
    ]),
  ]);
}
