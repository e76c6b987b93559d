import { isPosition, readSince, type Since } from '../../kernel/http/walk.ts';
import { isStorable } from '../../kernel/values/text.ts';

/**
 * Where a walk through the products of a chain continues.
 *
 * `scan`: all products by vendor and SKU, after `at`; then the changes after the position, where the scan started.
 * `changes`: the changes after the position; with `at`, in the middle of the change at the position.
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

/** Undefined if this list has not written it. */
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
