import type { InputError } from '@aisle/contract/common';
import type { MarkInput } from '@aisle/contract/picking-state';
import { findOffers } from '../catalog/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { invalid } from '../kernel/failures/failure.ts';
import { announceOrder, type OrderRow } from '../orders/index.ts';
import { type NamedCaller, renewClaim } from './claim-order.ts';
import { lockOpenOrder } from './open-order.ts';
import { deleteMarks, insertMarks, type LineRow, listLines, raiseVersion, saveLines } from './queries.ts';
import { checkMarks, skusIn } from './rules/check-marks.ts';
import { lastMarks, lineOf } from './rules/picked-line.ts';

/** How many products can be added to an order, counting those that were removed again. */
const maxAdditions = 200;
/** How many characters the scanned codes of an order can have together, so that reading its state stays cheap. */
const maxCodeCharacters = 100_000;
/** How many marks of an order are remembered, so that a device can send them again. */
const rememberedMarks = 5000;

/** Stores marks that were not stored before. Marks that are repeated only renew the caller's claim. */
export async function markItems(
  tx: Tx,
  chainId: string,
  orderId: string,
  { marks, order_revision: revision }: { marks: MarkInput[]; order_revision: number },
  caller: NamedCaller,
): Promise<void> {
  const order = await lockOpenOrder(tx, chainId, orderId, caller, revision);
  await rejectInvalid(tx, order, marks);
  const markIds = [...new Set(marks.map(({ mark_id }) => mark_id.toLowerCase()))];
  const newIds = await insertMarks(tx, chainId, orderId, markIds);
  const last = lastMarks(marks, newIds);
  const hasNewPicker = await renewClaim(tx, chainId, orderId, caller);
  if (last.length === 0 && !hasNewPicker) return;
  await saveMarks(tx, order, last, caller);
  const count = await raiseVersion(tx, chainId, orderId, newIds.size);
  if (count > rememberedMarks) await deleteMarks(tx, chainId, orderId, count - rememberedMarks);
  announceOrder(tx, chainId, orderId);
}

async function rejectInvalid(tx: Tx, order: OrderRow, marks: MarkInput[]): Promise<void> {
  const errors = checkMarks(marks, new Map(order.items.map(({ id, sku }) => [id, sku])));
  if (errors.length > 0) throw invalid(errors);
  const wanted = skusIn(marks);
  if (wanted.length === 0) return;
  const skus = [...new Set(wanted.map(({ sku }) => sku))];
  const known = new Set((await findOffers(tx, order.chain_id, order.vendor_id, skus)).map(({ sku }) => sku));
  const unknown = wanted.filter(({ sku }) => !known.has(sku));
  const message = "is not in the store's catalog";
  if (unknown.length === 0) return;
  throw invalid(unknown.map(({ pointer }): InputError => ({ pointer, code: 'unknown_sku', message })));
}

async function saveMarks(tx: Tx, order: OrderRow, marks: MarkInput[], caller: NamedCaller): Promise<void> {
  const { chain_id: chainId, order_id: orderId } = order;
  const lines = await listLines(tx, chainId, orderId);
  const known = new Map(lines.map((line) => [line.line_id, line.line_no]));
  for (const { line_id } of marks) if (!known.has(line_id)) known.set(line_id, known.size + 1);
  if (known.size > order.items.length + maxAdditions) {
    const message = `must not add more than ${maxAdditions} products to the order`;
    throw invalid([{ pointer: '/marks', code: 'too_long', message }]);
  }
  if (countCodeCharacters(lines, marks) > maxCodeCharacters) {
    const message = `must not have more than ${maxCodeCharacters} characters in the scanned codes of all lines`;
    throw invalid([{ pointer: '/marks', code: 'too_long', message }]);
  }
  await saveLines(
    tx,
    chainId,
    orderId,
    marks.map((mark) => lineOf(mark, known.get(mark.line_id) ?? 0, caller)),
  );
}

function countCodeCharacters(lines: LineRow[], marks: MarkInput[]): number {
  const codes = new Map(lines.map((line) => [line.line_id, line.scanned_codes]));
  for (const { line_id, scanned_codes = [] } of marks) codes.set(line_id, scanned_codes);
  return [...codes.values()].flat().reduce((sum, code) => sum + code.length, 0);
}
