import { setTimeout as sleep } from 'node:timers/promises';
import { findVendors, type VendorRow } from '../../server/src/identity/index.ts';
import type { Database, Tx } from '../../server/src/kernel/database/db.ts';
import { newId } from '../../server/src/kernel/values/ids.ts';
import { createLinks } from '../../server/src/links.ts';
import { moveOrder, type OrderRow, placeOrder, putOrder } from '../../server/src/orders/index.ts';
import type { TestChain } from '../../server/test/support/aisle.ts';

const links = createLinks('http://aisle.test');

/** The number of placed orders, the changes that were rolled back, and the number of failures. */
export type OrderSource = { orders: number; rolledBack: Set<string>; failures: number };

/** The products in every chain in the soak test. There are many, so that orders rarely wait for stock row locks. */
export const soakProducts = Array.from({ length: 100 }, (_, index) => ({
  sku: `SKU-${index}`,
  title: `Product ${index}`,
  price: 5,
  quantity: 1_000_000,
}));

/** Places orders, several at a time, and applies changes to each order, until `isOver` returns true. */
export async function produceOrders(
  db: Database,
  chains: TestChain[],
  options: { writers: number; pauseMs: number; isOver(): boolean },
): Promise<OrderSource> {
  const source: OrderSource = { orders: 0, rolledBack: new Set(), failures: 0 };
  const write = async (writer: number) => {
    for (let round = writer; !options.isOver(); round++) {
      const chain = chains[round % chains.length] as TestChain;
      await runOrder(db, chain, source).catch(async () => {
        // The database was unavailable, so the change may or may not have been committed. The order gets no more changes.
        source.failures += 1;
        await sleep(200);
      });
      await sleep(options.pauseMs * Math.random() * 2);
    }
  };
  await Promise.all(Array.from({ length: options.writers }, (_, writer) => write(writer)));
  return source;
}

async function runOrder(db: Database, chain: TestChain, source: OrderSource): Promise<void> {
  const vendorId = String(chain.vendors[source.orders % chain.vendors.length]);
  source.orders += 1;
  const [vendor] = await findVendors(db, chain.chainId, [vendorId]);
  if (!vendor) throw new Error(`The vendor ${vendorId} does not exist.`);
  await maybeRollBack(db, source, (tx, mark) => place(tx, chain, vendor, mark));
  const order = await db.transaction((tx) => place(tx, chain, vendor, 'kept'));
  // Some orders get no changes, some get a few, and some get all of them.
  const changes = [fulfil, pickUp, deliver].slice(0, Math.floor(Math.random() * 4));
  for (const change of changes) {
    await maybeRollBack(db, source, (tx, mark) => cancel(tx, order, mark));
    await db.transaction((tx) => change(tx, order));
  }
}

/** Rolls back some of the changes. The mark of a rolled-back change must never appear in an event. */
async function maybeRollBack(db: Database, source: OrderSource, change: (tx: Tx, mark: string) => Promise<unknown>) {
  if (Math.random() >= 0.1) return;
  const mark = newId();
  source.rolledBack.add(mark);
  const work = db.transaction(async (tx) => {
    await change(tx, mark);
    await sleep(Math.random() * 20);
    throw new Error('rollback');
  });
  await work.catch(() => {});
}

function place(tx: Tx, chain: TestChain, vendor: VendorRow, mark: string): Promise<OrderRow> {
  const order = {
    customer: { first_name: 'Sam', phone_number: '+971500000000' },
    items: [{ sku: `SKU-${Math.floor(Math.random() * soakProducts.length)}`, quantity: 2 }],
    payment: { type: 'PAID' },
    comment: mark,
  };
  const by = { name: 'platform', actor: 'platform' };
  return placeOrder(tx, chain.chainId, vendor, { order, isTest: false, by, now: new Date() }, links);
}

function fulfil(tx: Tx, order: OrderRow): Promise<unknown> {
  const items = order.items.map(({ id }) => ({
    _id: id,
    status: 'IN_CART' as const,
    pricing: { pricing_type: 'UNIT' as const },
  }));
  const context = { profile: 'strict', vendorIds: null, ifMatch: undefined, readableDays: 60, links } as const;
  const by = { name: 'vendor', actor: 'device' };
  return putOrder(
    tx,
    order.chain_id,
    order.order_id,
    { status: 'READY_FOR_PICKUP', items },
    { ...context, by, now: new Date() },
  );
}

function pickUp(tx: Tx, order: OrderRow): Promise<unknown> {
  return moveOrder(tx, order.chain_id, order.order_id, { action: 'pickup' }, new Date(), links);
}

function deliver(tx: Tx, order: OrderRow): Promise<unknown> {
  return moveOrder(tx, order.chain_id, order.order_id, { action: 'deliver' }, new Date(), links);
}

function cancel(tx: Tx, order: OrderRow, mark: string): Promise<unknown> {
  const move = { action: 'cancel', cancelled_by: 'CUSTOMER', reason: mark } as const;
  return moveOrder(tx, order.chain_id, order.order_id, move, new Date(), links);
}
