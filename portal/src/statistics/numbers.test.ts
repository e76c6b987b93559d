import assert from 'node:assert/strict';
import test from 'node:test';
import { parseCsv } from '@aisle/contract/csv';
import { filterRows, numberColumns, numbersCsv, ordersBehind, sortRows, type StoreRow } from './numbers.ts';
import { numbersQuery, parseNumbersSearch } from './search.ts';

const row = (vendor_id: string, more: Partial<StoreRow> = {}): StoreRow => ({
  vendor_id,
  external_id: null,
  name: `Store ${vendor_id}`,
  timezone: 'Asia/Dubai',
  first_day: '2026-05-04',
  last_day: '2026-05-04',
  from: '2026-05-03T20:00:00.000Z',
  to: '2026-05-04T20:00:00.000Z',
  revenue: [],
  orders: 0,
  cancelled_orders: 0,
  cancelled_rate: null,
  fulfilled_orders: 0,
  ordered_items: 0,
  found_items: 0,
  found_rate: null,
  orders_with_missing_items: 0,
  replaced_items: 0,
  replaced_rate: null,
  orders_with_replaced_items: 0,
  timed_orders: 0,
  pick_minutes: null,
  late_orders: 0,
  late_rate: null,
  ...more,
});
const ids = (rows: StoreRow[]) => rows.map(({ vendor_id }) => vendor_id).join(' ');

test('stores are sorted by a number, and those without it come last', () => {
  const rows = [row('a'), row('b', { late_rate: 0.1 }), row('c', { late_rate: 0.5 }), row('d', { late_rate: 0 })];
  assert.equal(ids(sortRows(rows, 'late', false)), 'c b d a');
  assert.equal(ids(sortRows(rows, 'late', true)), 'd b c a');
  assert.equal(ids(sortRows([row('10'), row('9')], 'store', true)), '9 10');
});

test('revenue in different currencies is sorted by currency first', () => {
  const money = (id: string, currency: string, amount: number) => row(id, { revenue: [{ currency, amount }] });
  const rows = [money('a', 'KWD', 900), money('b', 'AED', 5), money('c', 'AED', 70)];
  assert.equal(ids(sortRows(rows, 'revenue', false)), 'c b a');
});

test('stores are found by all words of the name or by id', () => {
  const rows = [row('a', { name: 'Marina Walk' }), row('b', { name: 'Walk of Fame', external_id: '17' })];
  assert.equal(ids(filterRows(rows, 'walk marina')), 'a');
  assert.equal(ids(filterRows(rows, '17')), 'b');
  assert.equal(ids(filterRows(rows, undefined)), 'a b');
});

test('a number opens the orders of its store and period, without test orders', () => {
  const late = numberColumns.find(({ id }) => id === 'late');
  assert.ok(late);
  const { from, to } = row('a');
  assert.deepEqual(ordersBehind(late, row('a')), { store: 'a', outcome: 'LATE', from, to, test: false });
  const totals = { ...row('a'), vendor_id: undefined };
  const { vendor_id: _, ...numbers } = totals;
  assert.deepEqual(ordersBehind(late, numbers), { all: true, outcome: 'LATE', from, to, test: false });
  assert.equal(ordersBehind(late, { ...numbers, from: null }), undefined);
});

test('the CSV file has a column for each currency', () => {
  const rows = [
    row('a', { revenue: [{ currency: 'AED', amount: 1.5 }], orders: 2 }),
    row('b', { revenue: [{ currency: 'KWD', amount: 3 }], name: '=Sum, "quoted"' }),
  ];
  const [head = [], first = [], second = []] = parseCsv(numbersCsv(rows));
  const cell = (cells: string[], name: string) => cells[head.indexOf(name)];
  assert.deepEqual([cell(first, 'revenue_AED'), cell(first, 'revenue_KWD'), cell(first, 'orders')], ['1.5', '', '2']);
  assert.deepEqual([cell(second, 'revenue_AED'), cell(second, 'revenue_KWD')], ['', '3']);
  assert.equal(cell(second, 'name'), '=Sum, "quoted"');
});

test('the URL selects a period or days, and ignores what is not valid', () => {
  assert.deepEqual(numbersQuery(parseNumbersSearch({})), { period: 'LAST_7_DAYS' });
  assert.deepEqual(numbersQuery(parseNumbersSearch({ period: 'YESTERDAY', zone: 'UTC' })), {
    period: 'YESTERDAY',
    timezone: 'UTC',
  });
  assert.deepEqual(numbersQuery(parseNumbersSearch({ first: '2026-05-01', last: '2026-05-04' })), {
    first_day: '2026-05-01',
    last_day: '2026-05-04',
  });
  assert.deepEqual(numbersQuery(parseNumbersSearch({ first: '2026-05-04', last: '2026-05-01', period: 'X' })), {
    period: 'LAST_7_DAYS',
  });
});
