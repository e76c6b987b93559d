import { parseCsv } from '@aisle/contract/csv';
import type { PlatformInput } from './api.ts';

export type NewStore = PlatformInput<'platformCreateVendors'>['body']['vendors'][number];
export type StoreDefaults = Pick<NewStore, 'currency' | 'country_code' | 'locale' | 'timezone' | 'transport_type'>;
/** A store with the row of the file that it is from. The header is row 1. */
export type StoreRow = { row: number; store: NewStore };
export type ReadStores = { stores: StoreRow[]; problems: StoreProblem[] };
export type StoreProblem = {
  row: number;
  problem: 'header' | 'name' | 'duplicate' | 'sameName' | 'column' | 'quote' | 'rejected';
  value: string;
};

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
  const { rows: all, problem } = readRows(text);
  if (problem) return { stores: [], problems: [problem] };
  const [header, ...rows] = all.filter(({ cells }) => cells.some((cell) => cell.trim()));
  const columns = (header?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  if (!columns.includes('name')) {
    return { stores: [], problems: [{ row: header?.row ?? 1, problem: 'header', value: columns.join(', ') }] };
  }
  const unknown = columns.filter((column) => !isColumn(column) && column !== '');
  const stores = rows.map(({ row, cells }): StoreRow => {
    const named = columns.map((column, at) => [column, cells[at]?.trim() ?? ''] as const);
    const given = named.filter(([column, cell]) => isColumn(column) && cell !== '');
    return { row, store: { ...defaults, ...Object.fromEntries(given) } as NewStore };
  });
  const columnProblems = unknown.map((value): StoreProblem => ({ row: header?.row ?? 1, problem: 'column', value }));
  return { stores, problems: [...columnProblems, ...findProblems(stores)] };
}

type Row = { row: number; cells: string[] };

function readRows(text: string): { rows: Row[]; problem?: StoreProblem } {
  const rows: Row[] = [];
  try {
    for (const cells of parseCsv(text.replace(/^\uFEFF/, ''))) rows.push({ row: rows.length + 1, cells });
  } catch {
    return { rows, problem: { row: rows.length + 1, problem: 'quote', value: '' } };
  }
  return { rows };
}

/** Without an external id, a store is recognized by its name if the file is imported again. */
function findProblems(stores: StoreRow[]): StoreProblem[] {
  const seen = new Set<string>();
  return stores.flatMap(({ row, store: { name, external_id: id } }): StoreProblem[] => {
    if (!name) return [{ row, problem: 'name', value: '' }];
    const key = id ? `id ${id}` : `name ${name}`;
    if (seen.has(key)) return [{ row, problem: id ? 'duplicate' : 'sameName', value: id || name }];
    seen.add(key);
    return [];
  });
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
