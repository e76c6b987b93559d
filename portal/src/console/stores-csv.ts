import { parseCsv } from '@aisle/contract/csv';
import type { PlatformInput } from './api.ts';

export type NewStore = PlatformInput<'platformCreateVendors'>['body']['vendors'][number];
export type StoreDefaults = Pick<NewStore, 'currency' | 'country_code' | 'locale' | 'timezone' | 'transport_type'>;
export type ReadStores = { stores: NewStore[]; problems: StoreProblem[] };
/** `row` is the line in the file, where the header is line 1. */
export type StoreProblem = { row: number; problem: 'header' | 'name' | 'duplicate' | 'column'; value: string };

export const storeColumns = [
  'name',
  'external_id',
  'currency',
  'country_code',
  'locale',
  'timezone',
  'transport_type',
] as const;
/** What the fields show at first. */
export const firstDefaults: StoreDefaults = {
  currency: 'AED',
  country_code: 'AE',
  locale: 'en_AE',
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  transport_type: 'LOGISTICS_DELIVERY',
};

/** A file with one store of this name. */
export function exampleFile(name: string): string {
  const cells = { ...firstDefaults, name, external_id: '1001' };
  return [storeColumns, storeColumns.map((column) => cells[column])].map((row) => `${row.join()}\n`).join('');
}

type StoreColumn = (typeof storeColumns)[number];

/** Reads a CSV file with one store per row. An empty or missing value is the default. */
export function readStores(text: string, defaults: StoreDefaults): ReadStores {
  const [header = [], ...rows] = [...parseCsv(text.replace(/^\uFEFF/, ''))].filter((row) =>
    row.some((cell) => cell.trim()),
  );
  const columns = header.map((cell) => cell.trim().toLowerCase());
  if (!columns.includes('name'))
    return { stores: [], problems: [{ row: 1, problem: 'header', value: header.join(', ') }] };
  const unknown = columns.filter((column) => !isColumn(column) && column !== '');
  const problems: StoreProblem[] = unknown.map((value) => ({ row: 1, problem: 'column', value }));
  const seen = new Set<string>();
  const stores = rows.map((row, index): NewStore => {
    const cells = Object.fromEntries(columns.map((column, at) => [column, row[at]?.trim() ?? '']));
    const { name = '', external_id: externalId = '' } = cells;
    if (name === '') problems.push({ row: index + 2, problem: 'name', value: '' });
    if (externalId !== '' && seen.has(externalId)) {
      problems.push({ row: index + 2, problem: 'duplicate', value: externalId });
    }
    seen.add(externalId);
    const given = Object.entries(cells).filter(([column, cell]) => isColumn(column) && cell !== '');
    return { ...defaults, ...Object.fromEntries(given) } as NewStore;
  });
  return { stores, problems };
}

/** The stores in the parts in which they are sent. */
export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

function isColumn(text: string): text is StoreColumn {
  return storeColumns.some((column) => column === text);
}
