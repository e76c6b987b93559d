import { hasItemCode, isSameBarcode, parseEmbeddedBarcode } from '@aisle/contract/embedded-barcode';
import { type Draft, type Extra, findProduct, isWeighed, type Line, type LineChange, linesOf } from './draft.ts';
import type { EmbeddedRule, Product } from './types.ts';
import type { WeightLimits } from './weight.ts';

/** What a scanned code means for an order. Pure. */
export type ScanResult =
  | { kind: 'counted'; line: Line; sku: string; change: LineChange; count: number; total: number | undefined }
  | {
      kind: 'weighed' | 'weightBelow';
      line: Line;
      sku: string;
      change: LineChange;
      weight: number;
      limits: WeightLimits;
    }
  | { kind: 'weightAbove'; line: Line; sku: string; weight: number; limits: WeightLimits }
  | { kind: 'enterWeight' | 'complete' | 'closed'; line: Line; sku: string }
  | { kind: 'notInOrder' };

export function decideScan(code: string, draft: Draft, rules: readonly EmbeddedRule[]): ScanResult {
  const lines = linesOf(draft);
  const open = lines.filter(({ state }) => state === 'PENDING');
  const matches = (has: (product: Codes) => boolean) => findMatch([...open, ...lines], draft, has);
  const exact = matches(({ sku, barcodes }) => [sku, ...barcodes].some((one) => isSameBarcode(one, code)));
  if (exact) return decideUnit(exact, draft, code);
  const embedded = parseEmbeddedBarcode(code, rules);
  const weighed = embedded && matches((product) => hasItemCode(embedded, product));
  if (!embedded || !weighed) return { kind: 'notInOrder' };
  if (!isWeighedMatch(weighed, draft)) return decideUnit(weighed, draft, code);
  const price = priceOf(weighed, draft);
  const weight = embedded.kind === 'WEIGHT' ? embedded.value : price > 0 ? round(embedded.value / price) : 0;
  return decideWeight(weighed, code, weight);
}

/** The weight of a pack with this price. */
export function weightFor(value: { kind: 'WEIGHT' | 'PRICE'; value: number }, { price }: Product): number | undefined {
  if (value.kind === 'WEIGHT') return value.value;
  return price > 0 ? round(value.value / price) : undefined;
}

export function limitsOf({ item }: Line): WeightLimits {
  if (!item) return { min: 0.001, max: undefined };
  return { min: item.pricing.min_quantity, max: item.pricing.max_quantity };
}

export function round(weight: number): number {
  return Math.round(weight * 1000) / 1000;
}

type Codes = { sku: string; barcodes: readonly string[] };
/** The line, and the replacement if the code is that of the replacement. */
type Match = { line: Line; extra: Extra | undefined };

function findMatch(lines: readonly Line[], { products }: Draft, has: (product: Codes) => boolean): Match | undefined {
  const own = (sku: string) => findProduct(products, sku)?.barcodes ?? [];
  for (const line of lines) {
    const { replacement } = line;
    if (replacement && has({ sku: replacement.sku, barcodes: own(replacement.sku) }))
      return { line, extra: replacement };
    if (has({ sku: line.sku, barcodes: [...(line.item?.barcode ?? []), ...own(line.sku)] })) {
      return { line, extra: undefined };
    }
  }
  return undefined;
}

function isWeighedMatch({ line, extra }: Match, { products }: Draft): boolean {
  return extra
    ? (findProduct(products, extra.sku)?.isSoldByWeight ?? extra.weight !== null)
    : isWeighed(line, products);
}

function priceOf({ line, extra }: Match, { products }: Draft): number {
  if (extra) return findProduct(products, extra.sku)?.price ?? 0;
  return line.item?.pricing.unit_price ?? findProduct(products, line.sku)?.price ?? 0;
}

function decideUnit(match: Match, draft: Draft, code: string): ScanResult {
  const { line, extra } = match;
  const scannedCodes = [...line.scannedCodes, code];
  const sku = extra?.sku ?? line.sku;
  if (isWeighedMatch(match, draft))
    return { kind: line.state === 'REPLACED' && !extra ? 'closed' : 'enterWeight', line, sku };
  if (extra) {
    const count = (extra.quantity ?? 0) + 1;
    const change = { replacement: { ...extra, quantity: count }, scannedCodes };
    return { kind: 'counted', line, sku, change, count, total: undefined };
  }
  if (line.state === 'REPLACED') return { kind: 'closed', line, sku };
  const total = line.item?.pricing.quantity;
  const count = (line.state === 'NOT_FOUND' ? 0 : (line.quantity ?? 0)) + 1;
  if (total === undefined)
    return { kind: 'counted', line, sku, change: { quantity: count, scannedCodes }, count, total };
  if (count > total) return { kind: 'complete', line, sku };
  const state = count === total || line.state === 'IN_CART' ? 'IN_CART' : 'PENDING';
  return { kind: 'counted', line, sku, change: { state, quantity: count, scannedCodes }, count, total };
}

/** Several packs can make up one line, so weights are added. Until the minimum is reached, the line stays open. */
function decideWeight({ line, extra }: Match, code: string, packWeight: number): ScanResult {
  const scannedCodes = [...line.scannedCodes, code];
  const sku = extra?.sku ?? line.sku;
  if (line.state === 'REPLACED' && !extra) return { kind: 'closed', line, sku };
  const before = extra ? extra.weight : line.state === 'NOT_FOUND' ? 0 : line.weight;
  const weight = round((before ?? 0) + packWeight);
  const limits = extra ? { min: 0.001, max: undefined } : limitsOf(line);
  if (limits.max !== undefined && weight > limits.max) return { kind: 'weightAbove', line, sku, weight, limits };
  if (extra) {
    const change = { replacement: { ...extra, weight }, scannedCodes };
    return { kind: 'weighed', line, sku, change, weight, limits };
  }
  const isBelow = weight < limits.min;
  const state = line.item ? (isBelow ? 'PENDING' : 'IN_CART') : 'ADDED';
  return {
    kind: isBelow ? 'weightBelow' : 'weighed',
    line,
    sku,
    change: { state, weight, scannedCodes },
    weight,
    limits,
  };
}
