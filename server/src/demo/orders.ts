import type { Links } from '../config.ts';
import { findVendors, type VendorRow } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { moveOrder, orderResponse, placeOrder, putOrder } from '../orders/index.ts';
import { chance, integerBetween } from '@aisle/demo/seed';

export type DemoShelf = { vendor_id: string; products: { sku: string; is_sold_by_weight?: boolean }[] };
type Order = ReturnType<typeof orderResponse>;
type Ending =
  | 'received'
  | 'ready'
  | 'dispatched'
  | 'delivered'
  | 'cancelled'
  | 'cancelled late'
  | 'refused'
  | 'collected';

const ordersPerStore = 12;
const minute = 60_000;

/** Orders of the last days in every state, so that lists and charts have something to show. */
export async function seedOrders(tx: Tx, chainId: string, shelves: DemoShelf[], links: Links, now: Date) {
  for (const shelf of shelves) {
    const [vendor] = await findVendors(tx, chainId, [shelf.vendor_id]);
    if (!vendor) continue;
    // Oldest first, as they would have been placed.
    for (let number = ordersPerStore; number > 0; number--) {
      await seedOrder({ tx, chainId, vendor, links }, shelf, number, now);
    }
  }
}

type Place = { tx: Tx; chainId: string; vendor: VendorRow; links: Links };

async function seedOrder(place: Place, shelf: DemoShelf, number: number, now: Date): Promise<void> {
  const seed = `order ${shelf.vendor_id} ${number}`;
  const ending = endingOf(number, place.vendor);
  const age = number <= 3 ? number * 9 : integerBetween(90, 600, seed) + (number - 3) * 660;
  const placedAt = new Date(now.getTime() - age * minute);
  const order = await placeOne(place, shelf, seed, ending, placedAt);
  const later = (minutes: number) => new Date(placedAt.getTime() + minutes * minute);
  if (ending === 'received') return;
  if (ending === 'cancelled')
    return move(place, order, { action: 'cancel', cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' }, later(4));
  if (ending === 'refused') return put(place, order, { status: 'CANCELLED', reason: 'ITEM_UNAVAILABLE' }, later(6));
  await put(place, order, { status: fulfilled(place.vendor), items: pickedItems(order, shelf, seed) }, later(11));
  if (ending === 'ready') return;
  if (ending === 'collected') return move(place, order, { action: 'collect' }, later(25));
  if (place.vendor.transport_type === 'LOGISTICS_DELIVERY') await move(place, order, { action: 'pickup' }, later(17));
  if (ending === 'cancelled late')
    return move(place, order, { action: 'cancel', cancelled_by: 'LOGISTICS', reason: 'RIDER_ACCIDENT' }, later(24));
  if (ending === 'delivered') await move(place, order, { action: 'deliver' }, later(31));
}

function endingOf(number: number, vendor: VendorRow): Ending {
  if (number === 1) return 'received';
  if (number === 2) return vendor.transport_type === 'VENDOR_DELIVERY' ? 'received' : 'ready';
  if (number === 3) return 'dispatched';
  const endings: Ending[] = [
    'delivered',
    'delivered',
    'cancelled',
    'delivered',
    'refused',
    'delivered',
    'cancelled late',
  ];
  const isCollecting = number === 9 && vendor.transport_type === 'LOGISTICS_DELIVERY';
  return isCollecting ? 'collected' : (endings[number % endings.length] ?? 'delivered');
}

async function placeOne(place: Place, shelf: DemoShelf, seed: string, ending: Ending, now: Date): Promise<Order> {
  const count = integerBetween(2, 5, seed);
  const skip = Math.floor(shelf.products.length / count);
  const first = integerBetween(0, skip - 1, `${seed} first`);
  const products = Array.from({ length: count }, (_, index) => shelf.products[first + index * skip]);
  const items = products.flatMap((product, index) => {
    if (!product) return [];
    const many = integerBetween(1, 3, `${seed} ${index}`);
    return [{ sku: product.sku, ...(product.is_sold_by_weight ? { weight: many * 0.4 } : { quantity: many }) }];
  });
  const order = {
    customer: {
      first_name: 'Demo',
      last_name: 'Customer',
      phone_number: `+97150${integerBetween(1_000_000, 9_999_999, seed)}`,
    },
    items,
    payment: { type: chance(seed) < 0.7 ? 'PAID' : 'CASH', delivery_fee: 5, service_fee: 1 },
    ...(ending === 'collected' && { order_type: 'PICKUP' as const }),
  };
  const by = { name: 'platform', actor: 'platform' };
  const placement = { order, isTest: false, by, now };
  const row = await placeOrder(place.tx, place.chainId, place.vendor, placement, place.links);
  return orderResponse(row, place.links);
}

/** Most items as ordered; some are missing, replaced, weighed again or added. */
function pickedItems(order: Order, shelf: DemoShelf, seed: string) {
  const picked = order.items.map((item) => {
    const { pricing_type, weight } = item.pricing;
    const reweighed = weight === undefined ? {} : { weight: Math.round(weight * 1050) / 1000 };
    return { _id: item._id, status: 'IN_CART' as const, pricing: { pricing_type, ...reweighed } };
  });
  const kind = chance(`${seed} kind`);
  const [first, ...rest] = picked;
  const spare = shelf.products.find(
    (product) => !product.is_sold_by_weight && order.items.every((item) => item.sku !== product.sku),
  );
  if (!first || !spare || kind < 0.4) return picked;
  const added = { sku: spare.sku, pricing: { pricing_type: 'UNIT' as const, quantity: 1 } };
  if (kind < 0.6 && rest.length > 0) return [{ ...first, status: 'NOT_FOUND' as const }, ...rest];
  if (kind < 0.8)
    return [
      { ...first, status: 'REPLACED' as const },
      { ...added, status: 'IN_CART' as const, replaced_id: first._id },
      ...rest,
    ];
  return [...picked, { ...added, status: 'ADDITION' as const }];
}

function fulfilled(vendor: VendorRow): 'READY_FOR_PICKUP' | 'DISPATCHED' {
  return vendor.transport_type === 'VENDOR_DELIVERY' ? 'DISPATCHED' : 'READY_FOR_PICKUP';
}

async function put(place: Place, order: Order, what: Parameters<typeof putOrder>[3], now: Date): Promise<void> {
  await putOrder(place.tx, place.chainId, order.order_id, what, {
    profile: 'strict',
    vendorIds: null,
    ifMatch: undefined,
    by: { name: 'vendor', actor: 'picking device' },
    now,
    readableDays: 60,
    links: place.links,
  });
}

async function move(place: Place, order: Order, what: Parameters<typeof moveOrder>[3], now: Date): Promise<void> {
  await moveOrder(place.tx, place.chainId, order.order_id, what, now, place.links);
}
