/** The URL search parameters of the catalog page. */
export type CatalogSearch = {
  term?: string | undefined;
  category?: string | undefined;
  active?: boolean | undefined;
  page?: number | undefined;
  rows?: number | undefined;
};

export function parseCatalogSearch(search: Record<string, unknown>): CatalogSearch {
  const text = (name: string) => {
    const value = search[name];
    return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
  };
  const number = (name: string) => (Number(search[name]) > 1 ? Math.floor(Number(search[name])) : undefined);
  return {
    term: text('term'),
    category: text('category'),
    active: typeof search['active'] === 'boolean' ? search['active'] : undefined,
    page: number('page'),
    rows: number('rows'),
  };
}
