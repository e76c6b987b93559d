import type { Links } from '../config.ts';
import { findOffers } from '../catalog/index.ts';
import type { VendorRow } from '../identity/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import Type from 'typebox';
import { cancellingParties } from '@aisle/contract/order';
import { OneOf } from '@aisle/contract/common';
import { defineTask, enqueue } from '../kernel/background/queue.ts';
import { type By, type OrderRow, placeOrder } from '../orders/index.ts';
import { hasOrderWebhook } from '../webhooks/index.ts';
import { insertExpectation } from './queries.ts';
import { type Expectation, findMissingRequirements, testItems } from './rules/expectation.ts';

export const cancelTask = defineTask('sandbox.cancel', {
  order_id: Type.String(),
  cancelled_by: OneOf(cancellingParties),
  reason: Type.String(),
});

/**
 * Places a test order and stores the expected outcome. If the order is to be cancelled, the cancellation is enqueued in
 * the same transaction.
 */
export async function sendTestOrder(
  tx: Tx,
  chainId: string,
  vendor: VendorRow,
  expected: Expectation,
  context: { by: By; now: Date; links: Links },
): Promise<OrderRow> {
  await rejectUnready(tx, chainId, vendor);
  const offers = await findOffers(
    tx,
    chainId,
    vendor.vendor_id,
    expected.items.map((item) => item.sku),
  );
  const weighted = new Set(offers.filter((offer) => offer.is_sold_by_weight).map((offer) => offer.sku));
  const order = {
    transport_type: expected.transport_type,
    customer: { first_name: 'Test', last_name: 'Order', phone_number: '+10000000000' },
    items: testItems(expected.items, (sku) => weighted.has(sku)),
    payment: { type: 'PAID' },
    comment: 'This is a test order.',
  };
  const row = await placeOrder(tx, chainId, vendor, { ...context, order, isTest: true }, context.links);
  await insertExpectation(tx, chainId, row.order_id, expected);
  if (expected.status === 'CANCELLED') await cancelLater(tx, chainId, row.order_id, expected);
  return row;
}

/** Fails if the store cannot get test orders yet. `more` is what else it needs. */
export async function rejectUnready(
  tx: Tx,
  chainId: string,
  vendor: VendorRow,
  more: readonly string[] = [],
): Promise<void> {
  const hasWebhook = await hasOrderWebhook(tx, chainId, vendor.vendor_id);
  const missing = [...findMissingRequirements(vendor, hasWebhook), ...more];
  if (missing.length === 0) return;
  const detail = `Test orders cannot be sent to store ${vendor.vendor_id} yet; missing: ${missing.join(', ')}.`;
  throw new Failure('test_order_unavailable', detail, { extra: { missing } });
}

async function cancelLater(tx: Tx, chainId: string, orderId: string, expected: Expectation): Promise<void> {
  const { cancelled_by = 'CUSTOMER', reason = 'TEST_ORDER' } = expected;
  const payload = { order_id: orderId, cancelled_by, reason };
  await enqueue(tx, cancelTask, [{ chainId, lane: `sandbox ${orderId}`, batch: orderId, payload }]);
}
