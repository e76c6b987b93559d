import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AisleClient, isApiError, type OrderStatus } from '@aisle/sdk';
import type { Database } from '../../server/src/kernel/database/db.ts';
import type { TestChain } from '../../server/test/support/aisle.ts';
import { allPicked, newOrder } from '../../server/test/support/orders.ts';
import { clientOf } from './client.ts';

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
  servers: readonly { url: string }[],
  { chain, platformToken, writers }: { chain: TestChain; platformToken: string; writers: number },
): OrderLoad {
  const acknowledged = new Map<string, string>();
  const failures = new Map<number, number>();
  let isOver = false;
  let writes = 0;
  const clients = servers.map((server) => clientOf(server, chain));
  const platforms = servers.map((server) => clientOf(server, { token: platformToken }));
  const record = async <Changed extends { order_id: string; status: OrderStatus }>(request?: Promise<Changed>) => {
    try {
      const order = await request;
      if (!order) return undefined;
      writes += 1;
      acknowledged.set(order.order_id, order.status);
      return order;
    } catch (error) {
      const status = isApiError(error) ? error.status : 0;
      failures.set(status, (failures.get(status) ?? 0) + 1);
      await sleep(100);
      return undefined;
    }
  };
  const run = async (writer: number) => {
    for (let round = writer; !isOver; round++) {
      const server = round % servers.length;
      const body = newOrder(chain, [{ sku: 'SKU-00001', quantity: 1 }]);
      const placed = await record(platforms[server]?.platformPlaceOrder({ body }));
      if (!placed || isOver) continue;
      const picked = { status: 'READY_FOR_PICKUP', items: allPicked(placed) } as const;
      await record(clients[server]?.putOrder({ params: { order_id: placed.order_id }, body: picked }));
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
export async function assertNoneLost(
  db: Database,
  server: { url: string },
  chain: TestChain,
  load: OrderLoad,
): Promise<number> {
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
  const events = await readFeed(clientOf(server, chain));
  for (const [id, status] of stored) {
    const expected = status === 'RECEIVED' ? ['order.received'] : ['order.received', 'order.ready_for_pickup'];
    assert.deepEqual(events.get(id), expected, `the events of order ${id}`);
  }
  return stored.size;
}

/** The types of each order's events, in the order of the feed. */
async function readFeed(client: AisleClient): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for await (const { type, body } of client.listEvents.all({ query: { limit: 500 } })) {
    const id = 'order_id' in body ? body.order_id : '';
    found.set(id, [...(found.get(id) ?? []), type]);
  }
  return found;
}
