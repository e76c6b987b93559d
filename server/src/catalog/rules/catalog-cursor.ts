import { isPosition, readSince, type Since } from '../../kernel/http/walk.ts';
import { isStorable } from '../../kernel/values/text.ts';

/**
 * Where a walk through a chain's products continues.
 *
 * In phase `scan`, the walk reads the products after `at`, in order of vendor and SKU. `position` is the last position
 * assigned before the scan started. In phase `changes`, the walk reads the changes after `position` or, if `at` is set,
 * the rest of the change at `position`.
 */
export type CatalogCursor = {
  phase: 'scan' | 'changes';
  position: number;
  since: Since | undefined;
  at: { vendorId: string; sku: string } | undefined;
};

export const catalogList = 'catalog';

export function cursorContent({ phase, position, since, at }: CatalogCursor): unknown[] {
  const isLimited = since && (phase === 'scan' || position < since.upTo || at);
  return [phase, position, isLimited ? [since.ms, since.upTo] : null, at ? [at.vendorId, at.sku] : null];
}

/** Undefined if the content was not written by `cursorContent`. */
export function readCatalogCursor([phase, position, limited, inside, ...rest]: unknown[]): CatalogCursor | undefined {
  if ((phase !== 'scan' && phase !== 'changes') || !isPosition(position) || rest.length > 0) return undefined;
  const [ms, upTo] = pairOf(limited);
  const [vendorId, sku] = pairOf(inside);
  const since = readSince(ms, upTo);
  const at = isText(vendorId) && isText(sku) ? { vendorId, sku } : undefined;
  if ((limited !== null && !since) || (inside !== null && !at)) return undefined;
  return { phase, position, since, at };
}

function pairOf(value: unknown): unknown[] {
  return Array.isArray(value) && value.length === 2 ? value : [];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isStorable(value);
}
