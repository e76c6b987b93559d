import type { Db, Tx } from '../kernel/db.ts';
import type { Expectation } from './rules/expectation.ts';

export async function insertExpectation(
  tx: Tx,
  chainId: string,
  orderId: string,
  expected: Expectation,
): Promise<void> {
  await tx.query('insert into test_orders (chain_id, order_id, expected) values ($1, $2, $3)', [
    chainId,
    orderId,
    JSON.stringify(expected),
  ]);
}

export async function findExpectation(db: Db, chainId: string, orderId: string): Promise<Expectation | undefined> {
  const rows = await db.query<{ expected: Expectation }>(
    'select expected from test_orders where chain_id = $1 and order_id = $2',
    [chainId, orderId],
  );
  return rows[0]?.expected;
}
