import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Response, useAisle } from '../../support/aisle.ts';
import { makeShop } from '../../support/orders.ts';
import { waitFor } from '../../support/wait.ts';

// Nothing works in the background, and requests wait for as long as the test takes.
const aisle = await useAisle({ AISLE_STATEMENT_SECONDS: '60', AISLE_LOCK_SECONDS: '60' }, 'api');
const chain = await makeShop(aisle);

test('large pages and reads that count everything a chain has stored are slow reads', async () => {
  const vendor = `/vendors/${chain.vendors[0]}`;
  const cases: [path: string, table: string][] = [
    ['/catalog/jobs', 'jobs'],
    ['/files', 'files'],
    ['/deliveries', 'deliveries'],
    ['/requests', 'requests'],
    ['/catalog/orders?sku=MILK', 'orders'],
    ['/statistics', 'tallies'],
    ['/checklist', 'orders'],
    [`${vendor}/categories`, 'offers'],
    [`${vendor}/catalog?is_active=false`, 'offers'],
    [`${vendor}/catalog?page_size=101`, 'offers'],
  ];
  for (const [path, table] of cases) {
    const locked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const locking = aisle.db.withoutTimeout.transaction(async (tx) => {
      await tx.query(`lock table ${table} in access exclusive mode`);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const read = () => aisle.call('GET', `${chain.base}${path}`, { token: chain.token });
    const reads: Promise<Response>[] = [];
    for (let count = 0; count < 6; count++) {
      reads.push(read());
      // Statements that start together could be sent together.
      await sleep(30);
    }
    await waitFor(`two reads of ${path}`, async () => (await countWaiting()) >= 2);
    await sleep(200);
    // A read can use two connections, one of them to count.
    assert.ok((await countWaiting()) <= 4, path);
    release.resolve();
    await locking;
    for (const response of await Promise.all(reads)) assert.equal(response.status, 200, response.text);
  }
});

/** How many connections wait for the lock on a table. The request log is written meanwhile. */
async function countWaiting(): Promise<number> {
  const rows = await aisle.db.query(
    `select 1 from pg_locks join pg_stat_activity a using (pid)
     where not granted and locktype = 'relation' and a.datname = current_database() and a.query not ilike 'copy %'`,
  );
  return rows.length;
}
