import { type OfferRow, setStock } from '../../server/src/catalog/index.ts';
import { recordEvent } from '../../server/src/events/index.ts';
import type { Database, Tx } from '../../server/src/kernel/database/db.ts';
import { newId } from '../../server/src/kernel/values/ids.ts';
import { createLinks } from '../../server/src/links.ts';
import { recordOrderTally } from '../../server/src/orders/change-order.ts';
import { insertOrder, saveOrder } from '../../server/src/orders/queries.ts';
import { orderNumbers } from '../../server/src/orders/rules/order-numbers.ts';
import { orderResponse, type OrderRow } from '../../server/src/orders/rules/order-response.ts';
import { searchEntry } from '../../server/src/orders/rules/search.ts';
import { type Fixture, linesPerOrder, skuOf } from './fixture.ts';

/** The rows written by one real cycle, which the baseline writes again with new ids. */
export type Template = { placed: OrderRow; fulfilled: OrderRow };

const links = createLinks('http://127.0.0.1');
let counter = 0;

/** The baseline: runs only the writes from one cycle, in one transaction. */
export async function writeCycle(db: Database, fixture: Fixture, { placed, fulfilled }: Template): Promise<void> {
  const number = counter++;
  const vendorId = fixture.vendors[number % fixture.vendors.length]?.vendor_id ?? '';
  const ids = { order_id: newId(), vendor_id: vendorId };
  const skus = Array.from({ length: linesPerOrder }, (_, line) => skuOf(number * 37 + line * 501)).toSorted();
  const about = { orderId: ids.order_id };
  const change = { at: placed.created_at, actor: 'bench', items: [], from_status: null };
  await db.transaction(async (pipelined) => {
    const { tx, done } = sequential(pipelined);
    const { chainId } = fixture;
    setStock(tx, chainId, vendorId, ids.order_id, offersOf(skus), new Map(skus.map((sku) => [sku, 999_998])));
    const received = {
      type: 'order.received',
      vendorId,
      about,
      body: orderResponse({ ...placed, ...ids }, links),
    } as const;
    const first = recordEvent(tx, chainId, received);
    insertOrder(
      tx,
      { ...placed, ...ids },
      { ...change, action: 'placed', event: { id: first, type: received.type } },
      searchEntry(placed),
    );
    recordOrderTally(tx, { ...placed, ...ids });
    const returned = skus.slice(-1);
    setStock(tx, chainId, vendorId, ids.order_id, offersOf(returned), new Map(returned.map((sku) => [sku, 1_000_000])));
    const ready = {
      type: 'order.ready_for_pickup',
      vendorId,
      about,
      body: orderResponse({ ...fulfilled, ...ids }, links),
    } as const;
    const second = recordEvent(tx, chainId, ready);
    const event = { id: second, type: ready.type };
    const fulfilment = { ...change, action: 'fulfilled', from_status: 'RECEIVED', event } as const;
    saveOrder(tx, { ...fulfilled, ...ids }, fulfilment, orderNumbers(fulfilled, change.at));
    recordOrderTally(tx, { ...fulfilled, ...ids }, { ...placed, ...ids });
    await done();
  });
}

/** What the store had before. */
function offersOf(skus: string[]): OfferRow[] {
  const price = { price: '1.000', quantity: 999_999, maximum_sales_quantity: null, active: true };
  return skus.map((sku) => ({ ...price, sku, titles: {}, barcodes: [], image: null, is_sold_by_weight: false }));
}

/** Sends each statement when the previous one has finished, as a driver does by default. */
function sequential(pipelined: Tx): { tx: Tx; done(): Promise<unknown> } {
  let last: Promise<unknown> = Promise.resolve();
  const send: Tx['send'] = (text, values) => void (last = last.then(() => pipelined.query(text, values)));
  return { tx: { ...pipelined, send }, done: () => last };
}
