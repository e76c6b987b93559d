import { ApiError } from '../api/api-error.ts';
import {
  type Draft,
  type Line,
  type LineChange,
  markLine,
  newest,
  nextBatch,
  withOrder,
  withPicking,
} from './draft.ts';
import { addMark, findDraft, listDrafts, setDraft, updateDraft } from './drafts.ts';
import { codeOf, isTemporary, pause, request } from './request.ts';
import { canPick, refreshSession } from './session.ts';
import type { Mark, Order, Picking } from './types.ts';

/**
 * Keeps the drafts on this device and the server in step.
 *
 * A mark is first stored in the draft on the device, then sent. Marks of an order are sent in order, one request at a
 * time, and removed from the device when the server has stored them. Without a network they wait; a mark that arrives
 * twice is ignored by the server. If the order has changed, nothing is sent until the picker has seen the change.
 *
 * The changes of other devices arrive by long polling. A response that was requested before marks were stored may be
 * older than them, so it is dropped (see `newest`); the next request returns the current state.
 */
export function changeLine(orderId: string, line: Line, change: LineChange): void {
  const mark = markLine(line, change, { id: crypto.randomUUID(), now: new Date() });
  addMark(orderId, mark);
  void sendMarks(orderId);
}

/** Sends the unsent marks of an order. Resolves when there are none left or the picker has to decide something. */
export function sendMarks(orderId: string): Promise<void> {
  const running = sending.get(orderId) ?? sendAll(orderId).finally(() => sending.delete(orderId));
  sending.set(orderId, running);
  return running;
}

export function sendAllDrafts(): void {
  for (const { order, unsent } of listDrafts()) if (unsent.length > 0) void sendMarks(order.order_id);
}

/** Loads an order with its picking state onto the device, or loads it again. */
export async function loadDraft(orderId: string): Promise<Order> {
  const params = { order_id: orderId };
  const known = findDraft(orderId)?.picking;
  const [order, picking] = await Promise.all([
    request('getOrder', { params }),
    request('getPicking', { params, query: {} }),
  ]);
  const before: Draft = findDraft(orderId) ?? { order, unsent: [], products: {} };
  setDraft(withOrder(withPicking(before, newest(known, before.picking, picking)), order));
  return order;
}

export async function claim(orderId: string, mode: 'CLAIM' | 'SHARE' | 'TAKE_OVER'): Promise<void> {
  try {
    await receive(orderId, request('claimOrder', { params: { order_id: orderId }, body: { mode } }));
  } catch (error) {
    if (codeOf(error) !== 'order_claimed' && codeOf(error) !== 'order_changed') throw error;
    // Shows who is picking the order, or how it has changed.
    await loadDraft(orderId);
  }
}

export async function release(orderId: string): Promise<void> {
  await receive(orderId, request('releaseOrder', { params: { order_id: orderId } }));
}

/** Receives the changes of other devices that have not arrived yet. */
export async function refreshPicking(orderId: string): Promise<void> {
  await receive(orderId, request('getPicking', { params: { order_id: orderId }, query: {} }));
}

/** Receives the changes of other devices until the signal is aborted. */
export async function followOrder(orderId: string, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    const startedAt = Date.now();
    const before = received;
    const known = findDraft(orderId)?.picking;
    const version = known?.version;
    try {
      const query = version === undefined ? {} : { version, wait_seconds: 20 };
      const picking = await request('getPicking', { params: { order_id: orderId }, query }, { signal });
      if (failures > 0) void sendMarks(orderId);
      failures = 0;
      if (before !== received) continue;
      // Another tab can have received a newer one.
      if (picking.version !== version) store(orderId, newest(known, findDraft(orderId)?.picking, picking));
      else if (Date.now() - startedAt < 1000) await pause(1000, signal);
      if (isOutdated(orderId, picking)) await loadDraft(orderId);
    } catch (error) {
      // The user may only have lost access to another store, or have to do something in the portal first.
      const canSucceed = isTemporary(error) || codeOf(error) === 'forbidden';
      if (signal.aborted || !canSucceed) return;
      await pause(delayAfter(failures), signal);
      failures += 1;
    }
  }
}

const sending = new Map<string, Promise<void>>();
/** How many picking states have been received in response to changes from this device. */
let received = 0;

async function sendAll(orderId: string): Promise<void> {
  let isSingle = false;
  for (let failures = 0; canPick(); ) {
    const draft = findDraft(orderId);
    if (!draft || draft.unsent.length === 0 || draft.seenBefore) return;
    const marks = nextBatch(draft).slice(0, isSingle ? 1 : undefined);
    try {
      const body = { order_revision: draft.order.revision, marks };
      const sent = request('markItems', { params: { order_id: orderId }, body });
      await receive(orderId, sent, new Set(marks.map(({ mark_id }) => mark_id)));
      failures = 0;
    } catch (error) {
      // So that only the mark that is not valid is dropped, the marks are sent one by one.
      const isInvalid = error instanceof ApiError && error.status === 400 && !isTemporary(error);
      if (isInvalid && marks.length > 1) {
        isSingle = true;
        continue;
      }
      const isHandled = await handleFailure(orderId, error, marks).catch((other: unknown) => !isTemporary(other));
      if (isHandled && isInvalid) continue;
      if (isHandled) return;
      await pause(delayAfter(failures));
      failures += 1;
    }
  }
}

/** Returns whether sending is over. If not, the same marks are sent again. */
async function handleFailure(orderId: string, error: unknown, marks: readonly Mark[]): Promise<boolean> {
  if (isTemporary(error)) return false;
  if (codeOf(error) === 'order_changed') {
    await loadDraft(orderId);
    return true;
  }
  if (codeOf(error) === 'forbidden' && !(await refreshSession())) return true;
  if (error instanceof ApiError && error.status !== 401) {
    const ids = new Set(marks.map(({ mark_id }) => mark_id));
    const others = (draft: Draft) => draft.unsent.filter(({ mark_id }) => !ids.has(mark_id));
    updateDraft(orderId, (draft) => ({ ...draft, rejected: error.message, unsent: others(draft) }));
  }
  return true;
}

async function receive(orderId: string, sent: Promise<Picking>, storedIds?: ReadonlySet<string>): Promise<void> {
  const known = findDraft(orderId)?.picking;
  const picking = await sent;
  store(orderId, newest(known, findDraft(orderId)?.picking, picking), storedIds);
}

function store(orderId: string, picking: Picking, storedIds?: ReadonlySet<string>): void {
  received += 1;
  updateDraft(orderId, (draft) => withPicking(draft, picking, storedIds));
}

function isOutdated(orderId: string, { revision }: Picking): boolean {
  const draft = findDraft(orderId);
  return draft !== undefined && draft.order.revision !== revision;
}

function delayAfter(failures: number): number {
  return Math.min(1000 * 2 ** failures, 15_000);
}
