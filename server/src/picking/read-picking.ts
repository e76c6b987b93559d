import type { PickingState } from '@aisle/contract/picking-state';
import { findCredentialName, findVendors } from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import type { Waits } from '../kernel/http/waits.ts';
import { findLastActor, getVisibleOrder, type OrderRow, orderSubject, type Visibility } from '../orders/index.ts';
import { findVersion, listClaims, listLines } from './queries.ts';
import { stateResponse } from './response.ts';

/** The caller: what it can see, and its actor in claims and marks. */
export type Caller = Omit<Visibility, 'now'> & { actor: string };

/** Readers also poll, because a notification is lost if its connection breaks, and because claims expire. */
const pollMs = 5000;

/** Returns the state as soon as it differs from `version`, or after `waitSeconds`. */
export async function waitForPicking(
  db: Db,
  waits: Waits,
  { chainId, orderId }: { chainId: string; orderId: string },
  caller: Caller,
  { version, waitSeconds }: { version: string | undefined; waitSeconds: number },
): Promise<PickingState> {
  const deadline = performance.now() + waitSeconds * 1000;
  // Registered before the first read, so that no change is missed between reading and waiting.
  const wait = waits.begin(orderSubject(chainId, orderId));
  try {
    for (;;) {
      const state = await readPicking(db, chainId, orderId, caller);
      const left = deadline - performance.now();
      if (state.version !== version || left <= 0 || wait.hasEnded()) return state;
      await wait.next(Math.min(left, pollMs));
    }
  } finally {
    wait.done();
  }
}

/** The version is read before the lines, so a line can be newer than the version, but never older. */
export async function readPicking(db: Db, chainId: string, orderId: string, caller: Caller): Promise<PickingState> {
  const order = await getVisibleOrder(db, chainId, orderId, { ...caller, now: new Date() });
  const version = await findVersion(db, chainId, orderId);
  const claims = await listClaims(db, chainId, [orderId]);
  const lines = await listLines(db, chainId, orderId);
  const [vendor] = await findVendors(db, chainId, [order.vendor_id]);
  const weightedReplacement = vendor?.weighted_replacement ?? false;
  const changedBy = await readChangedBy(db, order);
  return stateResponse({ order, changedBy, weightedReplacement, version, claims, lines }, caller.actor);
}

/** The name of the user, token or client that changed the order last; otherwise the party, such as `customer`. */
export async function readChangedBy(db: Db, order: OrderRow): Promise<string> {
  const actor = (await findLastActor(db, order.chain_id, order.order_id)) ?? order.updated_by;
  const [, id] = /^(?:user|token|client):(.+)$/.exec(actor) ?? [];
  return (id !== undefined && (await findCredentialName(db, order.chain_id, id))) || actor;
}
