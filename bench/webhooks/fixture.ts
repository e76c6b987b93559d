import { exampleSnapshot, type OrderSnapshot } from '@aisle/contract/order';
import { clientOf } from '../../e2e/support/client.ts';
import { createToken, createVendor, insertChain } from '../../server/src/identity/index.ts';
import type { Database, Db } from '../../server/src/kernel/database/db.ts';
import { newId } from '../../server/src/kernel/values/ids.ts';

export type Chain = { chainId: string; vendorId: string; token: string };

/** Creates a chain with one store and a webhook with this URL. */
export async function makeChain(db: Database, api: string, url: string): Promise<Chain> {
  const chainId = newId();
  const chain = await db.transaction(async (tx) => {
    await insertChain(tx, chainId, { name: 'Bench', profile: 'strict', country_code: 'AE' });
    const { vendor_id } = await createVendor(tx, chainId, {
      name: 'Store',
      currency: 'AED',
      country_code: 'AE',
      locale: 'en_AE',
      timezone: 'Asia/Dubai',
      transport_type: 'LOGISTICS_DELIVERY',
    });
    const { token } = await createToken(
      tx,
      chainId,
      { name: 'bench', scopes: ['manage', 'orders:read', 'catalog:read'] },
      11,
    );
    return { chainId, vendorId: vendor_id, token };
  });
  await clientOf({ url: api }, chain).putWebhook({ body: { environment: 'production', production_url: url } });
  return chain;
}

/** An order of about 2 kB. */
export const order: OrderSnapshot = {
  ...exampleSnapshot,
  items: exampleSnapshot.items.flatMap((item) => Array.from({ length: 3 }, () => ({ ...item, _id: newId() }))),
};
export const body = JSON.stringify(order);

/** Writes `each` events per chain. */
export async function writeEvents(db: Db, chains: Chain[], each: number): Promise<void> {
  for (const { chainId, vendorId } of chains) {
    await db.query(
      `insert into events (chain_id, event_id, type, vendor_id, order_id, body)
       select $1, gen_random_uuid(), 'order.received', $2, gen_random_uuid(), $4::json from generate_series(1, $3::int)`,
      [chainId, vendorId, each, body],
    );
  }
}
