import { textIn } from '../kit/localized.ts';
import type { Item, Mark, MarkState, Order, PickedLine, Picking, Product } from './types.ts';

/**
 * An order on this device: the order, what the server knows about its picking, and the marks that the server has not
 * stored yet. All functions here are pure.
 */
export type Draft = {
  order: Order;
  picking?: Picking | undefined;
  unsent: readonly Mark[];
  /** Products that the draft refers to, by SKU. */
  products: Readonly<Record<string, Product>>;
  /** The order as the picker last saw it, if it has changed since and the picker has not confirmed this yet. */
  seenBefore?: Order | undefined;
  /** What was typed into weight fields and is not a mark yet, by line. It must survive a reload. */
  typedWeights?: Readonly<Record<string, string>> | undefined;
  /** Why the server rejected marks. */
  rejected?: string | undefined;
  /** Whether this device has sent the fulfilment, whose response may have been lost. */
  isSubmitted?: boolean | undefined;
};

export type Extra = { sku: string; quantity: number | null; weight: number | null };

/** An item of the order, or an added product, with everything that has been marked so far. */
export type Line = {
  id: string;
  item: Item | undefined;
  sku: string;
  state: MarkState;
  quantity: number | null;
  weight: number | null;
  replacement: Extra | null;
  scannedCodes: readonly string[];
  markedBy: PickedLine['marked_by'] | undefined;
  isUnsent: boolean;
};

export type LineChange = Partial<Pick<Line, 'state' | 'quantity' | 'weight' | 'replacement' | 'scannedCodes'>>;

/** The items in the order of the order, then the added products. Unsent marks apply after those on the server. */
export function linesOf(draft: Draft): Line[] {
  const items = draft.order.items.map((item): Line => ({ ...emptyLine(item._id, item.sku), item }));
  const lines = new Map(items.map((line) => [line.id, line]));
  for (const stored of draft.picking?.lines ?? []) apply(lines, stored, stored.marked_by);
  for (const mark of draft.unsent) apply(lines, mark, undefined);
  return [...lines.values()].filter((line) => line.item !== undefined || line.state === 'ADDED');
}

/** The mark that changes a line. It contains the whole line, because the last mark of a line replaces the others. */
export function markLine(line: Line, change: LineChange, { id, now }: { id: string; now: Date }): Mark {
  const next = { ...line, ...change };
  return {
    mark_id: id,
    line_id: line.id,
    state: next.state,
    quantity: next.quantity,
    weight: next.weight,
    ...(next.state === 'REPLACED' && { replacement: next.replacement }),
    ...(next.state === 'ADDED' && { sku: next.sku }),
    scanned_codes: [...next.scannedCodes].slice(-200),
    marked_at: now.toISOString(),
  };
}

export function newAddition(id: string, { sku, quantity, weight }: Extra, scannedCodes: readonly string[]): Line {
  return { ...emptyLine(id, sku), state: 'ADDED', quantity, weight, scannedCodes };
}

export function withMark(draft: Draft, mark: Mark): Draft {
  const { [mark.line_id]: _marked, ...typedWeights } = draft.typedWeights ?? {};
  return { ...draft, typedWeights, unsent: [...draft.unsent, mark] };
}

/** The marks that are sent next: not more than a request can contain. Each mark has all scanned codes of its line. */
export function nextBatch({ unsent }: Draft): Mark[] {
  let characters = 0;
  const end = unsent.findIndex((mark, index) => {
    characters += JSON.stringify(mark).length;
    return index === maxBatch || (index > 0 && characters > maxBatchCharacters);
  });
  return unsent.slice(0, end === -1 ? unsent.length : end);
}

const maxBatch = 200;
const maxBatchCharacters = 100_000;

/**
 * The draft that another tab has stored, with the unsent marks of this tab that it does not contain: both may have changed
 * the draft at the same time. If the other tab has sent them instead, they are sent again, and the server ignores them.
 */
export function withLostMarks(stored: Draft, before: Draft, made: ReadonlySet<string>): Draft {
  const kept = new Set(stored.unsent.map(({ mark_id }) => mark_id));
  const lost = before.unsent.filter(({ mark_id }) => made.has(mark_id) && !kept.has(mark_id));
  return lost.length === 0 ? stored : { ...stored, unsent: [...stored.unsent, ...lost] };
}

export function withTypedWeight(draft: Draft, lineId: string, typed: string): Draft {
  return { ...draft, typedWeights: { ...draft.typedWeights, [lineId]: typed } };
}

/** The draft after the server has stored marks. */
export function withPicking(draft: Draft, picking: Picking, storedIds: ReadonlySet<string> = new Set()): Draft {
  return { ...draft, picking, unsent: draft.unsent.filter(({ mark_id }) => !storedIds.has(mark_id)) };
}

/**
 * A response can be older than the current state if that one arrived after the request was sent, when the state `known`
 * was the current one.
 */
export function newest(known: Picking | undefined, current: Picking | undefined, response: Picking): Picking {
  const isOlder = current !== undefined && current !== known && isNewer(current, response);
  return isOlder ? current : response;
}

/** A version consists of numbers, such as `1-10-2`, which is newer than `1-9-2`. */
function isNewer({ version }: Picking, than: Picking): boolean {
  return version.localeCompare(than.version, 'en', { numeric: true }) > 0;
}

/** The draft with a newer revision of the order. Unsent marks wait until the picker has seen what changed. */
export function withOrder(draft: Draft, order: Order): Draft {
  if (order.revision === draft.order.revision) return { ...draft, order };
  return { ...draft, order, seenBefore: draft.seenBefore ?? draft.order };
}

/** Continues with the new revision. Marks of items that are no longer in the order are dropped. */
export function acceptOrder(draft: Draft): Draft {
  const ids = new Set(draft.order.items.map(({ _id }) => _id));
  const isKept = ({ line_id, state }: Mark) => ids.has(line_id) || state === 'ADDED' || state === 'REMOVED';
  return { ...draft, seenBefore: undefined, unsent: draft.unsent.filter(isKept) };
}

export function isOpen({ order, picking }: Draft): boolean {
  return order.status === 'RECEIVED' && picking?.is_open !== false;
}

/** The status of the order. The picking state can be newer than the order. */
export function statusOf({ order, picking }: Draft): Order['status'] {
  return picking && picking.revision > order.revision ? picking.status : order.status;
}

/** Whether others have claimed the order, and this user has not joined them. */
export function isTaken({ picking }: Draft): boolean {
  const pickers = picking?.pickers ?? [];
  return pickers.length > 0 && !pickers.some(({ is_me }) => is_me);
}

/** Whether a product can replace a line. Some stores do not let products sold by weight replace each other. */
export function canReplace({ picking }: Draft, { item }: Line, product: Product): boolean {
  const isByWeight = item?.pricing.pricing_type === 'KG' && product.isSoldByWeight;
  return !isByWeight || picking?.weighted_replacement !== false;
}

/** How many items have been picked, not found or replaced. Added products are not counted. */
export function progressOf(lines: readonly Line[]): { picked: number; total: number } {
  const items = lines.filter(({ item }) => item !== undefined);
  return { picked: items.filter(({ state }) => state !== 'PENDING').length, total: items.length };
}

export function hasPickedItems(lines: readonly Line[]): boolean {
  return lines.some(({ state }) => state === 'IN_CART' || state === 'REPLACED' || state === 'ADDED');
}

export function isWeighed(line: Line, products: Draft['products']): boolean {
  return line.item
    ? line.item.pricing.pricing_type === 'KG'
    : (findProduct(products, line.sku)?.isSoldByWeight ?? false);
}

/** A SKU can be `constructor`, which every object has. */
export function findProduct(products: Draft['products'], sku: string): Product | undefined {
  return Object.hasOwn(products, sku) ? products[sku] : undefined;
}

/** The title in the given language if the product has one, otherwise in the store's language. */
export function nameOf(sku: string, language: string, item: Item | undefined, products: Draft['products']): string {
  const product = findProduct(products, sku);
  return textIn(product?.titles ?? {}, language) ?? item?.name ?? product?.name ?? sku;
}

function emptyLine(id: string, sku: string): Line {
  return {
    id,
    item: undefined,
    sku,
    state: 'PENDING',
    quantity: null,
    weight: null,
    replacement: null,
    scannedCodes: [],
    markedBy: undefined,
    isUnsent: false,
  };
}

function apply(lines: Map<string, Line>, mark: PickedLine | Mark, by: PickedLine['marked_by'] | undefined): void {
  const line = lines.get(mark.line_id) ?? emptyLine(mark.line_id, mark.sku ?? '');
  const { replacement } = mark;
  lines.set(mark.line_id, {
    ...line,
    state: mark.state,
    sku: line.item?.sku ?? mark.sku ?? line.sku,
    quantity: mark.quantity ?? null,
    weight: mark.weight ?? null,
    replacement: replacement
      ? { sku: replacement.sku, quantity: replacement.quantity ?? null, weight: replacement.weight ?? null }
      : null,
    scannedCodes: mark.scanned_codes ?? [],
    markedBy: by,
    isUnsent: by === undefined,
  });
}
