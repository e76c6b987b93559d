import type { Change, Evidence } from '../evidence.ts';
import { groupBy } from '../group-by.ts';
import type { History, Operation, OperationKind, Violation } from '../history.ts';

/**
 * Every acknowledged write is stored exactly once, a rejected one never, and one without a response at most once.
 * Nothing is stored that was not sent.
 */
export function checkWrites(history: History, evidence: Evidence): Violation[] {
  return [
    ...checkRejections(history),
    ...checkPlaced(history, evidence),
    ...checkChanges(history, evidence),
    ...checkJobs(history, evidence),
  ];
}

const rule = 'every acknowledged write exactly once';

/**
 * Writes are valid, except the mistakes, so they are rejected only if an item is sold out, the store is closed or the
 * order has been, or may have been, cancelled or not brought as far. See `checkClosings` for whether the store was closed.
 */
function checkRejections({ operations }: History): Violation[] {
  const report = ({ id, kind, orderId, result }: Operation, name: string, problem: string) => ({
    rule: name,
    message: `${id} (${kind}) was ${problem} with ${result?.status} ${result?.code ?? ''}`.trimEnd(),
    ...(orderId !== undefined && { subject: orderId }),
  });
  const accepted = operations.filter(({ kind, outcome }) => kind === 'mistake' && outcome === 'acknowledged');
  const byOrder = groupBy(operations, ({ orderId, result }) => orderId ?? result?.orderId);
  const rejected = operations.filter(
    (operation) => operation.outcome === 'rejected' && !mayReject(operation, byOrder.get(operation.orderId) ?? []),
  );
  return [
    ...accepted.map((operation) => report(operation, 'invalid writes are rejected', 'accepted')),
    ...rejected.map((operation) => report(operation, 'valid writes are accepted', 'rejected')),
  ];
}

/** `all` are the writes to the same order. */
function mayReject({ id, kind, result: { code = '' } = { status: 0 } }: Operation, all: Operation[]): boolean {
  if (code === 'order_state_conflict') return all.some((other) => other.id !== id && mayPrevent(kind, other));
  if (kind === 'place') return code === 'invalid_request unavailable' || code === 'vendor_closed';
  return kind === 'mistake' && code === 'item_not_found unknown_sku';
}

/** Whether the other write to the order can be the reason why this one was not allowed. */
function mayPrevent(kind: OperationKind, other: Operation): boolean {
  if (other.kind === 'place' || other.kind === 'mistake' || other.outcome === 'rejected') return false;
  if (other.outcome !== 'acknowledged' || other.kind === 'cancel' || other.kind === 'reject') return true;
  // An order that has been picked or delivered cannot always be cancelled.
  return kind === 'cancel' || kind === 'reject' || kind === 'mistake';
}

function checkPlaced({ operations }: History, { orders }: Evidence): Violation[] {
  const stored = groupBy(orders, ({ order }) => order.comment as string);
  const sent = operations.filter(({ kind }) => kind === 'place');
  const known = new Set(sent.map(({ id }) => id));
  const uncaused = orders.filter(({ order }) => !known.has(order.comment));
  return [
    ...uncaused.map(({ order }) => violation(`order ${order.order_id} was never sent`, order.order_id)),
    ...sent.flatMap((operation) => {
      const found = stored.get(operation.id) ?? [];
      const [first] = found;
      if (found.length > 1) {
        const ids = found.map(({ order }) => order.order_id).join(', ');
        return [violation(`${operation.id} was stored ${found.length} times: ${ids}`, first?.order.order_id)];
      }
      if (operation.outcome === 'acknowledged' && first?.order.order_id !== operation.result?.orderId) {
        return [violation(`${operation.id} was acknowledged but is not stored`, operation.result?.orderId)];
      }
      if (operation.outcome === 'rejected' && first) {
        return [violation(`${operation.id} was rejected but is stored`, first.order.order_id)];
      }
      return first && first.chain !== operation.chain
        ? [violation(`${operation.id} is stored in ${first.chain}`, first.order.order_id)]
        : [];
    }),
  ];
}

/** Compares each order's changes with the writes to the order. */
function checkChanges({ operations }: History, { changes, orders }: Evidence): Violation[] {
  const sent = groupBy(operations, ({ orderId, result }) => orderId ?? result?.orderId);
  const byOrder = groupBy(changes, ({ order_id }) => order_id);
  return orders.flatMap(({ order }) => {
    const own = byOrder.get(order.order_id) ?? [];
    const gap = own.some(({ revision, from_status }, index) => {
      const before = own[index - 1]?.to_status ?? null;
      return revision !== index + 1 || from_status !== before;
    });
    if (gap || own.length !== order.revision || own.at(-1)?.to_status !== order.status) {
      const found = own.map(({ revision, from_status, to_status }) => `${revision} ${from_status} → ${to_status}`);
      const message = `order ${order.order_id} is ${order.status} at revision ${order.revision}, but its changes are ${found.join(', ')}`;
      return [{ rule: 'revisions without gaps', message, subject: order.order_id }];
    }
    return checkCauses(order.order_id, own, sent.get(order.order_id) ?? []);
  });
}

/** Each acknowledged write made its own change, and every other change was made by a write without a response. */
function checkCauses(orderId: string, changes: Change[], operations: Operation[]): Violation[] {
  const claimed = new Map<number, Operation>();
  const found: Violation[] = [];
  for (const operation of operations.filter(({ outcome }) => outcome === 'acknowledged')) {
    const { revision = 0, orderStatus } = operation.result ?? {};
    const change = changes[revision - 1];
    const other = claimed.get(revision);
    if (other) found.push(violation(`${operation.id} and ${other.id} both made revision ${revision}`, orderId));
    else if (change === undefined || change.to_status !== orderStatus || !mayCause(operation.kind, change)) {
      found.push(violation(`${operation.id} was acknowledged with revision ${revision}, which is not stored`, orderId));
    }
    claimed.set(revision, operation);
  }
  const open = operations.filter(({ outcome }) => outcome === 'unknown' || outcome === 'running');
  for (const change of changes.filter(({ revision }) => !claimed.has(revision))) {
    // The order was placed by a write without a response, which has no order id; `checkPlaced` finds it by the comment.
    if (change.from_status === null) continue;
    const index = open.findIndex(({ kind }) => mayCause(kind, change));
    if (index < 0) {
      const message = `revision ${change.revision} (${change.from_status} → ${change.to_status}) of order ${orderId} has no cause`;
      found.push({ rule: 'no change without its cause', message, subject: orderId });
    } else open.splice(index, 1);
  }
  return found;
}

function mayCause(kind: OperationKind, { from_status: from, to_status: to }: Change): boolean {
  switch (kind) {
    case 'place':
      return from === null;
    case 'fulfil':
      return from === 'RECEIVED' && (to === 'READY_FOR_PICKUP' || to === 'DISPATCHED');
    case 'pickup':
      return from === 'READY_FOR_PICKUP' && to === 'DISPATCHED';
    case 'deliver':
      return to === 'DELIVERED';
    case 'collect':
      return to === 'PICKED_UP';
    case 'reject':
    case 'cancel':
      return to === 'CANCELLED';
    default:
      return false;
  }
}

/** Every accepted job is stored and completed, and belongs to one write. */
function checkJobs({ operations }: History, { jobs, deadTasks }: Evidence): Violation[] {
  const accepted = new Map(operations.flatMap((each) => (each.result?.jobId ? [[each.result.jobId, each.id]] : [])));
  const stored = new Set(jobs.map(({ job_id }) => job_id));
  const unknown = operations.filter(
    ({ kind, outcome }) =>
      (kind === 'update' || kind === 'promotion' || kind === 'create') && outcome !== 'acknowledged',
  );
  const uncaused = jobs.filter(({ job_id }) => !accepted.has(job_id));
  const shared = operations.filter(({ id, result }) => result?.jobId && accepted.get(result.jobId) !== id);
  return [
    ...[...accepted]
      .filter(([jobId]) => !stored.has(jobId))
      .map(([jobId, id]) => violation(`job ${jobId} of ${id} is not stored`)),
    ...shared.map(({ id, result }) => violation(`${id} and another write got the same job ${result?.jobId}`)),
    ...(uncaused.length > unknown.length
      ? [
          violation(
            `${uncaused.length} jobs have no acknowledged write, but only ${unknown.length} writes had no response`,
          ),
        ]
      : []),
    ...jobs
      .filter(({ status, failed }) => status !== 'COMPLETED' || failed > 0)
      .map(({ job_id, type, status, failed }) =>
        violation(`job ${job_id} (${type}) is ${status} with ${failed} failures`),
      ),
    ...deadTasks.map(({ kind, last_error }) => violation(`a task (${kind}) failed on every attempt: ${last_error}`)),
  ];
}

function violation(message: string, subject?: string): Violation {
  return { rule, message, ...(subject !== undefined && { subject }) };
}
