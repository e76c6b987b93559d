export type PageRequest = { page: number; pageSize: number; offset: number };

export function pageOf(query: { page?: number | undefined; page_size?: number | undefined }): PageRequest {
  const page = query.page ?? 1;
  const pageSize = query.page_size ?? 20;
  return { page, pageSize, offset: (page - 1) * pageSize };
}

/**
 * Whether the page is so far from the first one that finding it takes long, or so large that reading it does. `query` has
 * not been validated.
 */
export function isSlowPage({ page = 1, page_size = 20 }: { page?: unknown; page_size?: unknown }): boolean {
  return (Number(page) - 1) * Number(page_size) > maxNear || Number(page_size) > maxSmall;
}

const maxNear = 1000;
const maxSmall = 100;

/** The number of items on all pages. */
export type Total = { items: number; isEstimate: boolean };

/**
 * Returns an estimate that agrees with the page that was read. While pages are full, it promises another one, so that
 * a client that reads all pages misses none.
 */
export function estimateTotal(estimate: number, page: PageRequest, rowsOnPage: number): Total {
  const seen = page.offset + rowsOnPage;
  if (rowsOnPage === page.pageSize) return { items: Math.max(estimate, seen + 1), isEstimate: true };
  return rowsOnPage > 0 ? { items: seen, isEstimate: false } : { items: Math.min(estimate, seen), isEstimate: true };
}

export function paged<const Noun extends string, Item>(
  noun: Noun,
  items: Iterable<Item>,
  total: number | Total,
  page: PageRequest,
) {
  const { items: totalItems, isEstimate } = typeof total === 'number' ? { items: total, isEstimate: false } : total;
  return {
    ...({ [noun]: items } as { [N in Noun]: Iterable<Item> }),
    page_number: page.page,
    page_size: page.pageSize,
    total_pages: Math.ceil(totalItems / page.pageSize),
    total_items: totalItems,
    ...(isEstimate && { total_items_is_estimate: true }),
  };
}
