import { isBillable, type Line } from './line.ts';

/** The known stock of some SKUs; null where the store does not say. */
export type Stock = Map<string, number | null>;

/** A placed order takes what it orders, as far as there is any. */
export function takeOrdered(lines: Line[], stock: Stock): Line[] {
  return lines.map((line) => ({ ...line, taken: take(line, stock) }));
}

/**
 * Moves stock with the picking: of an ordered line what was not picked comes back (never more than it took), what was
 * picked beyond the order is taken, and so are replacements and additions. `stock` is changed.
 */
export function movePicked(before: Line[], after: Line[], stock: Stock): Line[] {
  const known = new Set(before.map((line) => line.id));
  const settled = after.map((line) => (known.has(line.id) ? settle(line, stock) : line));
  return settled.map((line) => (known.has(line.id) ? line : { ...line, taken: take(line, stock) }));
}

/** A cancelled order gives back all it holds. */
export function giveBack(lines: Line[], stock: Stock): Line[] {
  return lines.map((line) => {
    move(stock, line.sku, line.taken ?? 0);
    return { ...line, taken: line.taken === null ? null : 0 };
  });
}

/** Whose stock a picking may move. */
export function movedSkus(before: Line[], after: Line[]): string[] {
  const known = new Set(before.map((line) => line.id));
  const moves = after.filter((line) =>
    known.has(line.id) ? line.taken !== null && unpicked(line) !== 0 : isCounted(line),
  );
  return [...new Set(moves.map((line) => line.sku))];
}

export function heldSkus(lines: Line[]): string[] {
  return [...new Set(lines.filter((line) => (line.taken ?? 0) > 0).map((line) => line.sku))];
}

function settle(line: Line, stock: Stock): Line {
  if (line.taken === null) return line;
  const open = unpicked(line);
  const moved = move(stock, line.sku, open > 0 ? Math.min(open, line.taken) : open);
  return { ...line, taken: line.taken - moved };
}

/** Ordered − picked; negative where more was picked. */
function unpicked(line: Line): number {
  return line.ordered.quantity - (isBillable(line) ? line.picked.quantity : 0);
}

function take(line: Line, stock: Stock): number | null {
  const has = stock.get(line.sku) ?? null;
  return isCounted(line) && has !== null ? -move(stock, line.sku, -line.picked.quantity) : null;
}

/** Adds so much, never below nothing nor above what a store can say it has; what really moved. */
function move(stock: Stock, sku: string, units: number): number {
  const has = stock.get(sku) ?? null;
  if (has === null) return 0;
  const next = Math.min(maxStock, Math.max(0, has + units));
  stock.set(sku, next);
  return next - has;
}

/** Some write it for "as much as you like". */
const maxStock = 2_147_483_647;

/** Stock is counted for what is sold by the piece. */
function isCounted(line: Line): boolean {
  return line.pricingType === 'UNIT';
}
