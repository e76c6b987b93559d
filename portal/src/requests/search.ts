import { statusClasses } from '@aisle/contract/requests';

/** The URL search parameters of the requests page. */
export type RequestSearch = {
  /** A request id or an order id. */
  term?: string | undefined;
  status?: (typeof statusClasses)[number] | undefined;
  page?: number | undefined;
  /** The request shown in the drawer. `at` is its time, which is needed because a client can reuse a request id. */
  open?: string | undefined;
  at?: string | undefined;
};

export function parseRequestSearch(search: Record<string, unknown>): RequestSearch {
  const { term, status, page, open, at } = search;
  return {
    term: textOf(term),
    status: statusClasses.find((known) => known === status),
    page: Number(page) > 1 ? Math.floor(Number(page)) : undefined,
    open: textOf(open),
    at: textOf(at),
  };
}

/** Returns the value as text. The router parses an id that consists only of digits as a number. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
