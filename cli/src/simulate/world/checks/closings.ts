import { groupBy } from '../group-by.ts';
import type { History, Operation, Violation } from '../history.ts';

/** A store that is certainly closed accepts no order, and one that is certainly open rejects none for being closed. */
export function checkClosings({ operations }: History): Violation[] {
  const changes = groupBy(
    operations.filter(({ kind, outcome }) => (kind === 'open' || kind === 'close') && outcome !== 'rejected'),
    ({ vendorId }) => vendorId,
  );
  return operations
    .filter(({ kind }) => kind === 'place')
    .flatMap((order) => checkOrder(order, changes.get(order.vendorId) ?? []));
}

const rule = 'closed stores accept no orders';

function checkOrder(order: Operation, changes: Operation[]): Violation[] {
  const { id, vendorId, outcome, result } = order;
  const report = (message: string): Violation => ({
    rule,
    message: `${id} ${message} store ${vendorId}`,
    ...(result?.orderId !== undefined && { subject: result.orderId }),
  });
  if (outcome === 'acknowledged' && !mayBe('open', order, changes)) return [report('was accepted by the closed')];
  const isRefused = outcome === 'rejected' && result?.code === 'vendor_closed';
  return isRefused && !mayBe('close', order, changes) ? [report('was rejected as closed by the open')] : [];
}

/**
 * Whether the store may have had this status at any time while the order was being placed. A change has happened at
 * some time between its start and its end, and one without a response at any time after its start, or never.
 */
function mayBe(status: 'open' | 'close', order: Operation, changes: Operation[]): boolean {
  const orderEnd = order.endedAt ?? Number.POSITIVE_INFINITY;
  const certainEnd = ({ outcome, endedAt }: Operation) =>
    outcome === 'acknowledged' && endedAt !== undefined ? endedAt : Number.POSITIVE_INFINITY;
  const isReplaced = (from: number) =>
    changes.some(
      (change) => change.kind !== status && change.startedAt >= from && certainEnd(change) <= order.startedAt,
    );
  // Every store is open at first.
  if (status === 'open' && !isReplaced(Number.NEGATIVE_INFINITY)) return true;
  return changes.some(
    (change) => change.kind === status && change.startedAt <= orderEnd && !isReplaced(certainEnd(change)),
  );
}
