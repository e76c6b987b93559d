import { orderStatuses } from '@aisle/contract/order';
import type { Query } from '../api/operations.ts';

/** The URL search parameters of the orders page. */
export type OrderSearch = {
  term?: string | undefined;
  status?: Query<'listOrders'>['status'] | undefined;
  days?: number | undefined;
  page?: number | undefined;
};

export function parseOrderSearch(search: Record<string, unknown>): OrderSearch {
  const { term, status, days, page } = search;
  return {
    term: typeof term === 'string' || typeof term === 'number' ? String(term) : undefined,
    status: orderStatuses.find((known) => known === status),
    days: days === 1 || days === 7 ? days : undefined,
    page: Number(page) > 1 ? Math.floor(Number(page)) : undefined,
  };
}
