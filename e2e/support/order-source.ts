import type { EventType } from '@aisle/contract/events';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordEvent } from '../../server/src/events/index.ts';
import type { Database } from '../../server/src/kernel/db.ts';
import { newId } from '../../server/src/kernel/ids.ts';
import type { TestChain } from '../../server/test/support/aisle.ts';

/** What became of the orders: how many were made, and which changes were undone. */
export type OrderSource = { orders: number; undone: Set<string>; failures: number };

const life = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED'];

/** Makes orders for as long as it is told to, several at a time, and lets each live through its changes. */
export async function produceOrders(
  db: Database,
  chains: TestChain[],
  options: { writers: number; pauseMs: number; isOver(made: number): boolean },
): Promise<OrderSource> {
  const source: OrderSource = { orders: 0, undone: new Set(), failures: 0 };
  const write = async (writer: number) => {
    for (let round = writer; !options.isOver(source.orders); round++) {
      const chain = chains[round % chains.length] as TestChain;
      await liveThrough(db, chain, source);
      await sleep(options.pauseMs * Math.random() * 2);
    }
  };
  await Promise.all(Array.from({ length: options.writers }, (_, writer) => write(writer)));
  return source;
}

async function liveThrough(db: Database, chain: TestChain, source: OrderSource): Promise<void> {
  const order = { chain, orderId: newId(), vendorId: String(chain.vendors[source.orders % chain.vendors.length]) };
  source.orders += 1;
  let revision = 0;
  for (const status of life) {
    if (Math.random() < 0.1) await undoneChange(db, order, status, source);
    try {
      await db.transaction((tx) => changeOrder(tx, order, status, revision + 1));
      revision += 1;
    } catch {
      // The database was away; whether the change came through is unknown, as it is for any caller: the order ends here.
      source.failures += 1;
      await sleep(200);
      return;
    }
  }
}

type Order = { chain: TestChain; orderId: string; vendorId: string };

/** The one place that makes an order change; it stands for the orders feature. */
function changeOrder(
  tx: Parameters<typeof recordEvent>[0],
  { chain, orderId, vendorId }: Order,
  status: string,
  revision: number,
  mark?: string,
): Promise<void> {
  return recordEvent(tx, chain.chainId, {
    type: `order.${status.toLowerCase()}` as EventType,
    vendorId,
    about: { orderId },
    body: {
      order_id: orderId,
      status,
      revision,
      ...(mark !== undefined && { mark }),
      items: [{ sku: 'MLK-00012', quantity: 2 }],
    },
  });
}

/** A change that is rolled back: nobody must ever hear of its mark. */
async function undoneChange(db: Database, order: Order, status: string, source: OrderSource): Promise<void> {
  const mark = newId();
  source.undone.add(mark);
  const work = db.transaction(async (tx) => {
    await changeOrder(tx, order, status, 99, mark);
    await sleep(Math.random() * 20);
    throw new Error('undone');
  });
  await work.catch(() => {});
}
