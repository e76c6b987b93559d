import { isBillable, type Line } from './line.ts';

/** Stock by SKU; null if the store does not track it. */
export type Stock = ReadonlyMap<string, number | null>;
export type MovedStock = { lines: Line[]; stock: Stock };

/** Takes the ordered units from stock, or as many of them as are available. */
export function takeOrdered(lines: Line[], stock: Stock): MovedStock {
  return moveEach(lines, stock, take);
}

/**
 * Adjusts the stock to the picked quantities. Units that the line took but that were not picked are put back; extra
 * units, replacements and additions are taken.
 */
export function movePicked(before: Line[], after: Line[], stock: Stock): MovedStock {
  const known = new Set(before.map((line) => line.id));
  const settled = moveEach(after, stock, (line, level) => (known.has(line.id) ? settle(line, level) : { line, level }));
  // Units that were put back are available to the new lines.
  return moveEach(settled.lines, settled.stock, (line, level) =>
    known.has(line.id) ? { line, level } : take(line, level),
  );
}

/** Puts back all stock held by a cancelled order. */
export function returnHeld(lines: Line[], stock: Stock): MovedStock {
  return moveEach(lines, stock, (line, level) => ({
    line: { ...line, taken: line.taken === null ? null : 0 },
    level: add(level, line.taken ?? 0),
  }));
}

/** SKUs whose stock can change when the order is picked. */
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

/** A line and the stock level of its SKU. `level` is null if the store does not track the stock. */
type Step = { line: Line; level: number | null };

/** Applies the step to each line in order. Lines with the same SKU share its stock. */
function moveEach(lines: Line[], stock: Stock, step: (line: Line, level: number | null) => Step): MovedStock {
  const levels = new Map(stock);
  const moved = lines.map((before) => {
    const { line, level } = step(before, levels.get(before.sku) ?? null);
    if (level !== null) levels.set(line.sku, level);
    return line;
  });
  return { lines: moved, stock: levels };
}

function take(line: Line, level: number | null): Step {
  if (!isCounted(line) || level === null) return { line: { ...line, taken: null }, level };
  const next = add(level, -line.picked.quantity);
  return { line: { ...line, taken: level - next }, level: next };
}

function settle(line: Line, level: number | null): Step {
  if (line.taken === null || level === null) return { line, level };
  const open = unpicked(line);
  // An order can have taken fewer units than ordered. Those that were picked have left the stock.
  const next = add(level, open > 0 ? Math.max(0, line.taken - pickedUnits(line)) : open);
  return { line: { ...line, taken: line.taken - (next - level) }, level: next };
}

/** Ordered units minus picked ones; negative if more were picked. */
function unpicked(line: Line): number {
  return line.ordered.quantity - pickedUnits(line);
}

function pickedUnits(line: Line): number {
  return isBillable(line) ? line.picked.quantity : 0;
}

/** The result is at least 0 and at most `maxStock`. */
function add<Level extends number | null>(level: Level, units: number): Level | number {
  return level === null ? level : Math.min(maxStock, Math.max(0, level + units));
}

/** The largest value the column can store. Some stores send it to mean "unlimited". */
const maxStock = 2_147_483_647;

/** Stock is tracked only for products sold by unit. */
function isCounted(line: Line): boolean {
  return line.pricingType === 'UNIT';
}
