import { orderOutcomes, orderStatuses } from '@aisle/contract/order';
import type { Query } from '../api/operations.ts';

/** The URL search parameters of the orders page. */
export type OrderSearch = {
  term?: string | undefined;
  status?: Query<'listOrders'>['status'] | undefined;
  outcome?: Query<'listOrders'>['outcome'] | undefined;
  /** False: without test orders. */
  test?: false | undefined;
  days?: number | undefined;
  /** Instead of `days`: from this time, until this time. */
  from?: string | undefined;
  to?: string | undefined;
  /** The orders of all stores instead of the selected one. */
  all?: true | undefined;
  page?: number | undefined;
};

export function parseOrderSearch(search: Record<string, unknown>): OrderSearch {
  const { term, status, outcome, test, days, all, page } = search;
  const [from, to] = [timeOf(search['from']), timeOf(search['to'])];
  const isRange = from !== undefined && to !== undefined;
  return {
    term: typeof term === 'string' || typeof term === 'number' ? String(term) : undefined,
    status: orderStatuses.find((known) => known === status),
    outcome: orderOutcomes.find((known) => known === outcome),
    test: test === false ? false : undefined,
    days: days === 1 || days === 7 ? days : undefined,
    ...(isRange && { from, to }),
    all: all === true ? true : undefined,
    page: Number(page) > 1 ? Math.floor(Number(page)) : undefined,
  };
}

/** The part of a request for orders that these parameters determine. */
export function orderQuery({ term, status, outcome, test, days, from, to }: OrderSearch, now: number) {
  return {
    ...(status && { status }),
    ...(outcome && { outcome }),
    ...(test === false && { is_test: false }),
    ...(term && { query_term: term }),
    ...(days && { start_time: daysAgo(days, now) }),
    ...(from && to && { start_time: from, end_time: to }),
  };
}

/** The time this many days ago, rounded down to the minute so that polls within a minute send the same request. */
function daysAgo(days: number, now: number): string {
  const minute = 60_000;
  return new Date(Math.floor(now / minute) * minute - days * 86_400_000).toISOString();
}

function timeOf(value: unknown): string | undefined {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value).toISOString() : undefined;
}
