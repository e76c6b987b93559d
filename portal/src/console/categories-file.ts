import { parseCsv } from '@aisle/contract/csv';
import type { PlatformInput } from './api.ts';

export type NewCategories = PlatformInput<'platformPutCategories'>['body'];

/**
 * Reads a category tree: JSON as the API expects it, or CSV with the columns global_id, parent_global_id and name.
 * Undefined if it is neither.
 */
export function readCategories(text: string, locale: string): NewCategories | undefined {
  const isJson = /^\s*[{[]/.test(text);
  try {
    return isJson ? readJson(text) : readCsv(text, locale);
  } catch {
    return undefined;
  }
}

function readJson(text: string): NewCategories | undefined {
  const content = JSON.parse(text) as NewCategories | NewCategories['categories'];
  const categories = Array.isArray(content) ? content : content.categories;
  return Array.isArray(categories) ? { categories } : undefined;
}

function readCsv(text: string, locale: string): NewCategories | undefined {
  const [header = [], ...rows] = [...parseCsv(text.replace(/^\uFEFF/, ''))].filter((row) =>
    row.some((cell) => cell.trim()),
  );
  const columns = header.map((cell) => cell.trim().toLowerCase());
  const cellOf = (row: string[], column: string) => row[columns.indexOf(column)]?.trim() ?? '';
  if (!columns.includes('global_id') || !columns.includes('name')) return undefined;
  const categories = rows.map((row) => ({
    global_id: cellOf(row, 'global_id'),
    parent_global_id: cellOf(row, 'parent_global_id') || null,
    details: { name: { [locale]: cellOf(row, 'name') } },
  }));
  return { categories };
}
