import type { Order } from '@aisle/contract/order';
import type { Client } from '../support/client.ts';
import { type Fixture, linesPerOrder, skuOf } from './fixture.ts';

let counter = 0;

/** Places an order with four items as the platform and fulfils it as the store, through the API. */
export async function runCycle(client: Client, fixture: Fixture, latencies: { place: number[]; fulfil: number[] }) {
  const number = counter++;
  const vendor = fixture.vendors[number % fixture.vendors.length];
  const placed = await timed(latencies.place, () =>
    client.send('POST', '/platform/v1/orders', fixture.platformToken, {
      chain_id: fixture.chainId,
      vendor_id: vendor?.vendor_id,
      customer: { first_name: 'Bench', phone_number: '+971500000000' },
      items: Array.from({ length: linesPerOrder }, (_, line) => ({
        sku: skuOf(number * 37 + line * 501),
        quantity: 2,
      })),
      payment: { type: 'PAID' },
    }),
  );
  const order = JSON.parse(expect(placed, 201)) as Order;
  // The last item is sent as not found, so that the cycle also releases stock.
  const items = order.items.map((item, index) => ({
    _id: item._id,
    status: index === linesPerOrder - 1 ? 'NOT_FOUND' : 'IN_CART',
    pricing: { pricing_type: 'UNIT' },
  }));
  const path = `/v2/chains/${fixture.chainId}/orders/${order.order_id}`;
  const fulfilled = await timed(latencies.fulfil, () =>
    client.send('PUT', path, fixture.token, { status: 'READY_FOR_PICKUP', items }),
  );
  expect(fulfilled, 200);
}

async function timed<Result>(into: number[], work: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  const result = await work();
  into.push(performance.now() - started);
  return result;
}

function expect({ status, text }: { status: number; text: string }, expected: number): string {
  if (status !== expected) throw new Error(`Expected ${expected}, got ${status}: ${text}`);
  return text;
}
