import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { copyInto } from '../../server/src/kernel/database/copy.ts';
import { encodeCopyRow } from '../../server/src/kernel/database/copy-text.ts';
import { openDatabase } from '../../server/src/kernel/database/db.ts';
import type { Item } from './fixture.ts';

/**
 * The baseline for bulk updates: a bare server that stores the body of the request, responds, and then updates the same
 * rows with the fastest SQL: COPY into a temporary table and one UPDATE. It checks and records nothing.
 */
const db = openDatabase({
  url: process.env['DATABASE_URL'] ?? '',
  connections: 2,
  preparedStatements: true,
  name: 'aisle bench bare',
  onError: () => {},
});
await db.query('create table if not exists bare_bodies (body_id bigint generated always as identity, body bytea)');
let isRunning = false;

async function apply(chainId: string, vendor: string, text: string): Promise<void> {
  const { products } = JSON.parse(text) as { products: Item[] };
  const lines = products.map((row) => encodeCopyRow([row.sku, row.price, row.quantity, row.active])).join('');
  await db.transaction(async (tx) => {
    await tx.query(
      'create temporary table bare (sku text collate "C", price numeric(10, 3), quantity integer, active boolean) on commit drop',
    );
    await copyInto(tx, 'bare', Buffer.from(lines));
    await tx.query(
      `update offers o set price = b.price, quantity = b.quantity, active = b.active, updated_at = now() from bare b
       where o.chain_id = $1 and o.vendor_id = $2 and o.sku = b.sku
         and (b.price, b.quantity, b.active) is distinct from (o.price, o.quantity, o.active)`,
      [chainId, vendor],
    );
  });
}

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify({ isRunning }));
    return;
  }
  const [, chainId = '', vendor = ''] = (request.url ?? '').split('/');
  const body = await buffer(request);
  await db.query('insert into bare_bodies (body) values ($1)', [body]);
  isRunning = true;
  response.writeHead(202).end();
  await apply(chainId, vendor, body.toString());
  isRunning = false;
});
process.on('SIGTERM', () => process.exit(0));
server.listen(Number(process.env['PORT']), '127.0.0.1');
