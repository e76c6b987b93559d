import type { Db } from '../kernel/database/db.ts';

export type ChecklistCounts = {
  stores: number;
  categories: number;
  users: number;
  credentials: number;
  webhooks: number;
  products: number;
  orders: number;
};

/** Products and orders are not counted, because there can be millions: 1 means that there are some. */
export async function countForChecklist(db: Db, chainId: string): Promise<ChecklistCounts> {
  const rows = await db.query<ChecklistCounts>(
    `select (select count(*)::int from vendors where chain_id = $1) as stores,
       (select count(*)::int from categories where chain_id = $1) as categories,
       (select count(*)::int from users where chain_id = $1) as users,
       (select count(*)::int from api_tokens where chain_id = $1 and revoked_at is null)
         + (select count(*)::int from clients where chain_id = $1) as credentials,
       (select count(*)::int from webhooks where chain_id = $1) as webhooks,
       exists (select 1 from products where chain_id = $1)::int as products,
       exists (select 1 from orders where chain_id = $1 and fulfilment is not null)::int as orders`,
    [chainId],
  );
  return rows[0] as ChecklistCounts;
}
