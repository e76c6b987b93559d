import { statisticsPeriods } from '@aisle/contract/store-statistics';
import type { Query } from '../api/operations.ts';
import { type ColumnId, columnIds } from './numbers.ts';

/** The URL search parameters of the page that compares stores. */
export type NumbersSearch = {
  period?: (typeof statisticsPeriods)[number] | undefined;
  /** Instead of `period`: from this day to this day, as `2026-05-04`. */
  first?: string | undefined;
  last?: string | undefined;
  /** The IANA name of a time zone; otherwise each store's own. */
  zone?: string | undefined;
  sort?: ColumnId | undefined;
  ascending?: true | undefined;
  term?: string | undefined;
  page?: number | undefined;
};

export function parseNumbersSearch(search: Record<string, unknown>): NumbersSearch {
  const { period, zone, sort, ascending, term, page } = search;
  const [first, last] = [dayOf(search['first']), dayOf(search['last'])];
  const isCustom = first !== undefined && last !== undefined && first <= last;
  return {
    period: isCustom ? undefined : statisticsPeriods.find((known) => known === period),
    ...(isCustom && { first, last }),
    zone: typeof zone === 'string' && zone !== '' ? zone : undefined,
    sort: columnIds.find((known) => known === sort),
    ascending: ascending === true ? true : undefined,
    term: typeof term === 'string' || typeof term === 'number' ? String(term) : undefined,
    page: Number(page) > 1 ? Math.floor(Number(page)) : undefined,
  };
}

export function numbersQuery({ period, first, last, zone }: NumbersSearch): Query<'getStoreStatistics'> {
  const days = first && last ? { first_day: first, last_day: last } : { period: period ?? 'LAST_7_DAYS' };
  return { ...days, ...(zone && { timezone: zone }) };
}

function dayOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : undefined;
}
