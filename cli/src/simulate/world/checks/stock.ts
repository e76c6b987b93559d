import type { Change, Evidence, Offer, StoredLine } from '../evidence.ts';
import { groupBy } from '../group-by.ts';
import type { History, Violation } from '../history.ts';
import type { Chain } from '../chain.ts';
import { type ProductKind, type ProductPlan, promotedPrice } from '../world.ts';

const rule = 'stock arithmetic';

/** Every store has every product of its chain: nothing deletes products. The other checks compare only those that exist. */
export function checkPresence({ chains, offers }: Evidence): Violation[] {
  const present = new Set(offers.map(lineKey));
  return chains.flatMap(({ tag, chainId, vendors, products }) =>
    vendors
      .flatMap((vendorId) => products.map(({ sku }) => ({ chain_id: chainId, vendor_id: vendorId, sku })))
      .filter((expected) => !present.has(lineKey(expected)))
      .map(({ vendor_id: vendorId, sku }) => ({
        rule: 'no product is lost',
        subject: `${tag} ${vendorId} ${sku}`,
        message: `${tag}, store ${vendorId}: ${sku} is missing`,
      })),
  );
}

/** The remaining stock is the initial stock minus the units in orders, for every SKU that no update restocks. */
export function checkStock(evidence: Evidence): Violation[] {
  const lines = groupBy(evidence.lines, lineKey);
  const dispatched = new Set(evidence.changes.filter(leftTheStore).map(({ order_id }) => order_id));
  const cancelled = new Set(
    evidence.changes.filter(({ to_status }) => to_status === 'CANCELLED').map(({ order_id }) => order_id),
  );
  const isReturned = ({ order_id }: StoredLine) => cancelled.has(order_id) && !dispatched.has(order_id);
  return evidence.offers.flatMap((offer) => {
    const chain = evidence.chains.find(({ chainId }) => chainId === offer.chain_id);
    const product = chain?.products.find(({ sku }) => sku === offer.sku);
    if (!chain || !product || product.kind === 'restocked' || product.kind === 'weighed') return [];
    const own = lines.get(lineKey(offer)) ?? [];
    const held = (line: StoredLine) => (isReturned(line) ? 0 : billableUnits(line));
    return [
      ...own.filter((line) => !isPlausible(line, held(line), product.kind)).map((line) => wrongUnits(line, held(line))),
      ...(isBalanced(offer, product, own, held) ? [] : [unbalanced(chain, offer, product.quantity, own, held)]),
    ];
  });
}

/** An order can take fewer units than it holds if the product was sold out. */
function isPlausible({ taken }: StoredLine, held: number, kind: ProductKind): boolean {
  if (taken === undefined) return true;
  const units = taken ?? 0;
  return kind === 'scarce' ? units >= 0 && units <= held : units === held;
}

function isBalanced(
  offer: Offer,
  { kind, quantity }: ProductPlan,
  lines: StoredLine[],
  held: (line: StoredLine) => number,
): boolean {
  const missing = quantity - (offer.quantity ?? 0);
  const max = unitsOf(lines, held);
  const isExact = kind !== 'scarce' || lines.every(({ taken }) => taken !== undefined);
  return isExact ? missing === max : missing >= 0 && missing <= max;
}

/** The units that were taken, or if that is unknown, those that the orders hold. */
function unitsOf(lines: StoredLine[], held: (line: StoredLine) => number): number {
  return lines.reduce((sum, line) => sum + (line.taken === undefined ? held(line) : (line.taken ?? 0)), 0);
}

function wrongUnits({ order_id, taken, sku }: StoredLine, held: number): Violation {
  return { rule, message: `order ${order_id} holds ${taken} units of ${sku}, not ${held}`, subject: order_id };
}

function unbalanced(
  chain: Chain,
  offer: Offer,
  initial: number,
  lines: StoredLine[],
  held: (line: StoredLine) => number,
): Violation {
  const taken = unitsOf(lines, held);
  const shown = lines.filter((line) => unitsOf([line], held) > 0).slice(-20);
  return {
    rule,
    subject: `${chain.tag} ${offer.vendor_id} ${offer.sku}`,
    message: `${chain.tag}, store ${offer.vendor_id}: ${offer.sku} started with ${initial}, orders hold ${taken}, and ${offer.quantity} are left instead of ${initial - taken}`,
    details: shown.map((line) => `order ${line.order_id} holds ${unitsOf([line], held)} (${line.status})`),
  };
}

function leftTheStore({ from_status, to_status }: Change): boolean {
  return to_status === 'CANCELLED' && from_status !== 'RECEIVED' && from_status !== 'READY_FOR_PICKUP';
}

function billableUnits({ status, quantity }: StoredLine): number {
  return status === 'NOT_FOUND' || status === 'REPLACED' ? 0 : quantity;
}

export function lineKey({ chain_id, vendor_id, sku }: { chain_id: string; vendor_id: string; sku: string }): string {
  return `${chain_id} ${vendor_id} ${sku}`;
}

/**
 * The last acknowledged update of a price or quantity applies, or the first value if there was none. An update without a
 * response may have been applied at any time after it was sent. The quantity of products that are sold is checked by
 * `checkStock`.
 */
export function checkCatalog({ operations }: History, { chains, offers }: Evidence): Violation[] {
  const possible = new Map<string, Set<number>>();
  const certain = new Map<string, number>();
  for (const { writes = [], outcome } of operations) {
    for (const { vendorId, sku, field, value } of writes) {
      const key = `${vendorId} ${sku} ${field}`;
      if (outcome === 'acknowledged') certain.set(key, value);
      else if (outcome !== 'rejected') possible.set(key, (possible.get(key) ?? new Set()).add(value));
    }
  }
  return offers.flatMap((offer) => {
    const chain = chains.find(({ chainId }) => chainId === offer.chain_id);
    const product = chain?.products.find(({ sku }) => sku === offer.sku);
    const fields = product?.kind === 'restocked' ? (['price', 'quantity'] as const) : (['price'] as const);
    return fields.flatMap((field) => {
      const key = `${offer.vendor_id} ${offer.sku} ${field}`;
      const expected = certain.get(key) ?? product?.[field];
      const value = offer[field];
      if (expected === undefined || value === expected || possible.get(key)?.has(value ?? -1)) return [];
      return [
        {
          rule: 'the last acknowledged update applies',
          subject: `${chain?.tag} ${offer.vendor_id} ${offer.sku}`,
          message: `${chain?.tag}, store ${offer.vendor_id}: the ${field} of ${offer.sku} is ${value}, not ${expected}`,
        },
      ];
    });
  });
}

/** A promotion's limits are never exceeded, per order or in total, and its counted units match those in the orders. */
export function checkPromotions({ chains, orders, changes, promotions }: Evidence): Violation[] {
  const cancelled = new Set(
    changes.filter(({ to_status }) => to_status === 'CANCELLED').map(({ order_id }) => order_id),
  );
  return chains.flatMap((chain) =>
    chain.promotions.flatMap(({ name, sku, percent, limits }) => {
      const perUnit = (promotedPrice * percent) / 100;
      const uses = orders
        .filter((each) => each.chain === chain.tag)
        .flatMap(({ order }) => order.items.map((item: Item) => ({ order, item })))
        .filter(({ item }) => item.sku === sku && item.status !== 'NOT_FOUND' && item.status !== 'REPLACED')
        .map(({ order, item }) => ({ orderId: order.order_id as string, units: Math.round(item.discount / perUnit) }));
      const counted = uses.filter(({ orderId }) => !cancelled.has(orderId)).reduce((sum, { units }) => sum + units, 0);
      const stored = promotions.find((each) => each.chain_id === chain.chainId && each.name === name);
      const perOrder = limits.max_items_per_order ?? Number.POSITIVE_INFINITY;
      const report = (message: string, subject?: string): Violation => ({
        rule: 'promotion limits',
        message: `${name}: ${message}`,
        ...(subject !== undefined && { subject }),
      });
      return [
        ...uses
          .filter(({ units }) => units > perOrder)
          .map(({ orderId, units }) =>
            report(`order ${orderId} has ${units} discounted units, the limit is ${perOrder}`, orderId),
          ),
        ...(counted > (limits.global_limit ?? counted)
          ? [report(`${counted} discounted units, the limit is ${limits.global_limit}`)]
          : []),
        ...(limits.global_limit !== undefined && stored && stored.global_used !== counted
          ? [report(`${stored.global_used} units are counted, but the orders have ${counted}`)]
          : []),
      ];
    }),
  );
}

type Item = { sku: string; status: string; discount: number };
