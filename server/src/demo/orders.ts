import type { Links } from '../config.ts';
import { findVendors, type VendorRow } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { moveOrder, orderResponse, placeOrder, putOrder } from '../orders/index.ts';
import { chance, integerBetween } from '@aisle/demo/chance';

export type DemoShelf = { vendor_id: string; products: { sku: string; is_sold_by_weight?: boolean }[] };
type Order = ReturnType<typeof orderResponse>;
type Ending =
  | 'received'
  | 'ready'
  | 'dispatched'
  | 'delivered'
  | 'cancelled'
  | 'cancelled late'
  | 'rejected'
  | 'collected';

const ordersPerStore = 12;
const minute = 60_000;

/** Creates orders in every state, placed over the last few days, so that lists and charts have something to show. */
export async function seedOrders(tx: Tx, chainId: string, shelves: DemoShelf[], links: Links, now: Date) {
  for (const shelf of shelves) {
    const [vendor] = await findVendors(tx, chainId, [shelf.vendor_id]);
    if (!vendor) continue;
    // Oldest first, the order in which customers would have placed them.
    for (let number = ordersPerStore; number > 0; number--) {
      await seedOrder({ tx, chainId, vendor, links }, shelf, number, now);
    }
  }
}

type Context = { tx: Tx; chainId: string; vendor: VendorRow; links: Links };

async function seedOrder(context: Context, shelf: DemoShelf, number: number, now: Date): Promise<void> {
  const seed = `order ${shelf.vendor_id} ${number}`;
  const ending = endingOf(number, context.vendor);
  const age = number <= 3 ? number * 9 : integerBetween(90, 600, seed) + (number - 3) * 660;
  const placedAt = new Date(now.getTime() - age * minute);
  const order = await placeDemoOrder(context, shelf, seed, ending, placedAt);
  const later = (minutes: number) => new Date(placedAt.getTime() + minutes * minute);
  if (ending === 'received') return;
  if (ending === 'cancelled')
    return move(context, order, { action: 'cancel', cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' }, later(4));
  if (ending === 'rejected') return put(context, order, { status: 'CANCELLED', reason: 'ITEM_UNAVAILABLE' }, later(6));
  await put(context, order, { status: fulfilled(context.vendor), items: pickedItems(order, shelf, seed) }, later(11));
  if (ending === 'ready') return;
  if (ending === 'collected') return move(context, order, { action: 'collect' }, later(25));
  if (context.vendor.transport_type === 'LOGISTICS_DELIVERY')
    await move(context, order, { action: 'pickup' }, later(17));
  if (ending === 'cancelled late')
    return move(context, order, { action: 'cancel', cancelled_by: 'LOGISTICS', reason: 'RIDER_ACCIDENT' }, later(24));
  if (ending === 'delivered') await move(context, order, { action: 'deliver' }, later(31));
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
    'rejected',
    'delivered',
    'cancelled late',
  ];
  const isCollecting = number === 9 && vendor.transport_type === 'LOGISTICS_DELIVERY';
  return isCollecting ? 'collected' : (endings[number % endings.length] ?? 'delivered');
}

async function placeDemoOrder(
  context: Context,
  shelf: DemoShelf,
  seed: string,
  ending: Ending,
  now: Date,
): Promise<Order> {
  const count = integerBetween(2, 5, seed);
  const skip = Math.floor(shelf.products.length / count);
  const first = integerBetween(0, skip - 1, `${seed} first`);
  const products = Array.from({ length: count }, (_, index) => shelf.products[first + index * skip]);
  const items = products.flatMap((product, index) => {
    if (!product) return [];
    const amount = integerBetween(1, 3, `${seed} ${index}`);
    return [{ sku: product.sku, ...(product.is_sold_by_weight ? { weight: amount * 0.4 } : { quantity: amount }) }];
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
  const row = await placeOrder(context.tx, context.chainId, context.vendor, placement, context.links);
  return orderResponse(row, context.links);
}

/** Most items are picked as ordered; some are missing, replaced, reweighed or added. */
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

async function put(context: Context, order: Order, update: Parameters<typeof putOrder>[3], now: Date): Promise<void> {
  await putOrder(context.tx, context.chainId, order.order_id, update, {
    profile: 'strict',
    vendorIds: null,
    ifMatch: undefined,
    by: { name: 'vendor', actor: 'picking device' },
    now,
    readableDays: 60,
    links: context.links,
  });
}

async function move(context: Context, order: Order, step: Parameters<typeof moveOrder>[3], now: Date): Promise<void> {
  await moveOrder(context.tx, context.chainId, order.order_id, step, now, context.links);
}
