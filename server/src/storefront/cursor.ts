import { type CatalogCursor, cursorContent, readCatalogCursor } from '../catalog/index.ts';
import { isPosition } from '../kernel/http/walk.ts';
import { isStorable } from '../kernel/values/text.ts';

/**
 * Where a storefront continues to read a chain's changes. `catalog` is its place in the walk through products and
 * offers. `position` is the last promotion change that was read or, if `at` is set, the one that is being read.
 */
export type StorefrontCursor = {
  catalog: CatalogCursor;
  position: number;
  at: { vendorId: string; sku: string } | undefined;
};

export function storefrontCursorContent({ catalog, position, at }: StorefrontCursor): unknown[] {
  return [cursorContent(catalog), position, at ? [at.vendorId, at.sku] : null];
}

/** Undefined if the content was not written by `storefrontCursorContent`. */
export function readStorefrontCursor([inner, position, at, ...rest]: unknown[]): StorefrontCursor | undefined {
  const catalog = Array.isArray(inner) ? readCatalogCursor(inner) : undefined;
  if (!catalog || !isPosition(position) || rest.length > 0) return undefined;
  if (at === null) return { catalog, position, at: undefined };
  const [vendorId, sku] = Array.isArray(at) && at.length === 2 ? at : [];
  return isText(vendorId) && isText(sku) ? { catalog, position, at: { vendorId, sku } } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isStorable(value);
}
