import { createPlatformToken } from '../../server/src/identity/index.ts';
import type { Database } from '../../server/src/kernel/database/db.ts';
import { type Fixture, skuOf } from '../catalog/fixture.ts';
import { createClient } from '../support/client.ts';
import { percentile } from '../support/report.ts';

export type Placement = { p50: number; p99: number };

/** Measures in ms how long it takes to place an order with four items, alternating between the two chains. */
export async function measurePlacement(
  db: Database,
  url: string,
  chains: [Fixture, Fixture],
  skus: number,
): Promise<[Placement, Placement]> {
  const token = await createPlatformToken(db, 'bench');
  const client = createClient(url, 1);
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < 300; round++) {
    for (const which of [0, 1] as const) {
      const started = performance.now();
      await place(client, token, chains[which], round, skus);
      // The first rounds are a warm-up.
      if (round >= 50) times[which].push(performance.now() - started);
    }
  }
  client.close();
  return [describe(times[0]), describe(times[1])];
}

async function place(
  client: ReturnType<typeof createClient>,
  token: string,
  chain: Fixture,
  round: number,
  skus: number,
) {
  const { status, text } = await client.send('POST', '/platform/v1/orders', token, {
    chain_id: chain.chainId,
    vendor_id: chain.vendors[round % chain.vendors.length],
    customer: { first_name: 'Bench', phone_number: '+971500000000' },
    items: [0, 1, 2, 3].map((line) => ({ sku: skuOf((round * 37 + line * 251) % skus), quantity: 1 })),
    payment: { type: 'PAID' },
  });
  if (status !== 201) throw new Error(`Placing an order returned ${status}: ${text}`);
}

function describe(times: number[]): Placement {
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
