export type PageRequest = { page: number; pageSize: number; offset: number };

export function pageOf(query: { page?: number | undefined; page_size?: number | undefined }): PageRequest {
  const page = query.page ?? 1;
  const pageSize = query.page_size ?? 20;
  return { page, pageSize, offset: (page - 1) * pageSize };
}

export function paged<const Noun extends string, Item>(
  noun: Noun,
  items: Iterable<Item>,
  total: number,
  page: PageRequest,
) {
  return {
    ...({ [noun]: items } as { [N in Noun]: Iterable<Item> }),
    page_number: page.page,
    page_size: page.pageSize,
    total_pages: Math.ceil(total / page.pageSize),
    total_items: total,
  };
}
