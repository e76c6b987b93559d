import { AisleError } from './errors.ts';
import type { OperationRow } from './operation.ts';

export type QueryValues = Record<string, string | number | boolean | readonly string[] | null | undefined>;

/** The path and query of a request. Lists are separated by commas; undefined and null are left out. */
export function pathOf(
  row: Pick<OperationRow, 'method' | 'path'>,
  params: Record<string, string | undefined> | undefined = {},
  query: QueryValues | undefined = {},
): string {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (!value) throw new AisleError(`params.${name} is required for ${row.method} ${row.path}`);
    // In a URL, these are steps in the path, also if they are encoded.
    if (value === '.' || value === '..') throw new AisleError(`params.${name} must not be "${value}"`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, queryText(value));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The values of a list are separated by commas, so a comma in a value has a backslash before it. */
function queryText(value: unknown): string {
  return Array.isArray(value) ? value.map((one) => String(one).replaceAll(',', '\\,')).join(',') : String(value);
}
