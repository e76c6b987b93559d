/**
 * A small till: it pushes the stock of a store, receives its orders, and picks them. Run it with
 * `AISLE_URL=… AISLE_TOKEN=… STORE=… node pos.ts`; stop it with Ctrl-C.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { createClient, isApiError, type OrderReceivedEvent } from '@aisle/sdk';

const { AISLE_URL = 'http://127.0.0.1:8080', AISLE_TOKEN = '', STORE = '', CURSOR_FILE = 'cursor.txt' } = process.env;
const aisle = createClient({ baseUrl: AISLE_URL, token: AISLE_TOKEN });

/** What is on the shelves. A real till reads it from its database, row by row. */
const shelves = new Map([
  ['MILK', 12],
  ['BREAD', 0],
]);

async function* stock() {
  for (const [sku, quantity] of shelves) yield { sku, quantity, active: quantity > 0 };
}

async function pick({ body: order }: OrderReceivedEvent): Promise<void> {
  const items = order.items.map(({ _id, sku, pricing: { pricing_type, quantity, weight } }) => {
    const isThere = (shelves.get(sku) ?? 0) >= quantity;
    const status = isThere ? ('IN_CART' as const) : ('NOT_FOUND' as const);
    return { _id, status, pricing: { pricing_type, quantity, weight } };
  });
  try {
    const picked = await aisle.putOrder({
      params: { order_id: order.order_id },
      body: { status: 'READY_FOR_PICKUP', items },
    });
    console.log(`${order.order_id} ${picked.status}`);
  } catch (error) {
    // The customer cancelled while we picked.
    if (isApiError(error, 'order_state_conflict')) console.log(`${order.order_id} ${error.problem.order_status}`);
    else throw error;
  }
}

const counts = await aisle.pushCatalog(stock(), { vendorId: STORE }).finished();
console.log(`stock ${counts.succeeded + counts.unchanged} of ${counts.items}`);

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
process.once('SIGTERM', () => stopping.abort());
await aisle.consumeEvents({
  from: existsSync(CURSOR_FILE) ? readFileSync(CURSOR_FILE, 'utf8') : undefined,
  types: ['order.received'],
  signal: stopping.signal,
  handle: pick,
  saveCursor: (cursor) => writeFileSync(CURSOR_FILE, cursor),
});
