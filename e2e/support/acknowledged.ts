import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../server/src/kernel/database/db.ts';
import type { TestChain } from '../../server/test/support/aisle.ts';
import { plainProducts } from '../../server/test/support/catalog.ts';
import { allPicked, newOrder } from '../../server/test/support/orders.ts';
import type { Client } from './client.ts';

/** Places and fulfils orders until it is stopped, and remembers what the server has acknowledged. */
export type OrderLoad = {
  /** The status of each order in its last successful response. */
  acknowledged: Map<string, string>;
  /** The number of requests that failed, by status; 0 if there was no response. */
  failures: Map<number, number>;
  writes(): number;
  failed(): number;
  stop(): Promise<void>;
};

export function startOrderLoad(
  clients: readonly Client[],
  { chain, platformToken, writers }: { chain: TestChain; platformToken: string; writers: number },
): OrderLoad {
  const acknowledged = new Map<string, string>();
  const failures = new Map<number, number>();
  let isOver = false;
  let writes = 0;
  const send = async (client: Client, ...request: Parameters<Client['call']>) => {
    const response = await client.call(...request).catch(() => undefined);
    const status = response?.status ?? 0;
    if (response && status < 300) {
      writes += 1;
      acknowledged.set(response.body.order_id, response.body.status);
      return response;
    }
    failures.set(status, (failures.get(status) ?? 0) + 1);
    await sleep(100);
    return undefined;
  };
  const run = async (writer: number) => {
    const [product] = plainProducts(1);
    for (let round = writer; !isOver; round++) {
      const client = clients[round % clients.length] as Client;
      const body = newOrder(chain, [{ sku: product?.sku, quantity: 1 }]);
      const placed = await send(client, 'POST', '/platform/v1/orders', { token: platformToken, body });
      if (!placed || isOver) continue;
      const picked = { status: 'READY_FOR_PICKUP', items: allPicked(placed.body) };
      const path = `${chain.base}/orders/${placed.body.order_id}`;
      await send(client, 'PUT', path, { token: chain.token, body: picked });
    }
  };
  const running = Promise.all(Array.from({ length: writers }, (_, writer) => run(writer)));
  return {
    acknowledged,
    failures,
    writes: () => writes,
    failed: () => [...failures.values()].reduce((sum, each) => sum + each, 0),
    async stop() {
      isOver = true;
      await running;
    },
  };
}

/**
 * Checks that every acknowledged change is stored, and that the feed has each order's events once and in order. Returns
 * the number of orders.
 */
export async function assertNoneLost(db: Database, client: Client, chain: TestChain, load: OrderLoad): Promise<number> {
  const rows = await db.query<{ order_id: string; status: string }>(
    'select order_id, status from orders where chain_id = $1',
    [chain.chainId],
  );
  const stored = new Map(rows.map(({ order_id, status }) => [order_id, status]));
  // A change whose response was lost may have been stored, so the stored status can be later than the acknowledged one.
  const lost = [...load.acknowledged].filter(
    ([id, status]) => stored.get(id) !== status && stored.get(id) !== 'READY_FOR_PICKUP',
  );
  assert.deepEqual(lost, [], 'acknowledged changes that are not stored');
  const events = await readFeed(client, chain);
  for (const [id, status] of stored) {
    const expected = status === 'RECEIVED' ? ['order.received'] : ['order.received', 'order.ready_for_pickup'];
    assert.deepEqual(events.get(id), expected, `the events of order ${id}`);
  }
  return stored.size;
}

/** The types of each order's events, in the order of the feed. */
async function readFeed(client: Client, chain: TestChain): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  let path = `${chain.base}/events?limit=500`;
  for (;;) {
    const { status, text, body } = await client.call('GET', path, { token: chain.token });
    assert.equal(status, 200, text);
    for (const event of body.events) {
      const id: string = event.body.order_id;
      found.set(id, [...(found.get(id) ?? []), event.type]);
    }
    if (body.events.length === 0) return found;
    path = `${chain.base}/events?limit=500&after=${encodeURIComponent(body.next_cursor)}`;
  }
}
