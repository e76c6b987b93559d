import type { claimModes } from '@aisle/contract/picking-state';
import type { Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { announceOrder, getVisible, lockOrder } from '../orders/index.ts';
import { lockOpenOrder } from './open-order.ts';
import { type ClaimRow, deleteClaim, deleteOtherClaims, insertClaim, listClaims, raiseVersion } from './queries.ts';
import type { Caller } from './read-picking.ts';

/** A caller with the name that other pickers see, and the time that its claim lasts. */
export type NamedCaller = Caller & { name: string; seconds: number };

export async function claimOrder(
  tx: Tx,
  chainId: string,
  orderId: string,
  mode: (typeof claimModes)[number],
  caller: NamedCaller,
): Promise<void> {
  await lockOpenOrder(tx, chainId, orderId, caller);
  const claims = await listClaims(tx, chainId, [orderId]);
  const others = claims.filter(({ actor }) => actor !== caller.actor);
  const isRenewal = others.length < claims.length;
  if (mode === 'CLAIM' && others.length > 0 && !isRenewal) throw alreadyClaimed(others);
  const isTakeOver = mode === 'TAKE_OVER';
  await deleteOtherClaims(tx, chainId, orderId, { actor: caller.actor, areAll: isTakeOver });
  await insertClaim(tx, chainId, orderId, caller);
  if (isRenewal && !(isTakeOver && others.length > 0)) return;
  await raiseVersion(tx, chainId, orderId, 0);
  announceOrder(tx, chainId, orderId);
}

/** Possible for an order that is no longer open, too. */
export async function releaseOrder(tx: Tx, chainId: string, orderId: string, caller: Caller): Promise<void> {
  getVisible(orderId, await lockOrder(tx, chainId, orderId), { ...caller, now: new Date() });
  if (!(await deleteClaim(tx, chainId, orderId, caller.actor))) return;
  await raiseVersion(tx, chainId, orderId, 0);
  announceOrder(tx, chainId, orderId);
}

/** Renews the caller's claim, or makes one if there is no other picker. Returns whether the pickers have changed. */
export async function renewClaim(tx: Tx, chainId: string, orderId: string, caller: NamedCaller): Promise<boolean> {
  const claims = await listClaims(tx, chainId, [orderId]);
  const isRenewal = claims.some(({ actor }) => actor === caller.actor);
  if (!isRenewal && claims.length > 0) return false;
  await insertClaim(tx, chainId, orderId, caller);
  return !isRenewal;
}

function alreadyClaimed(others: ClaimRow[]): Failure {
  const names = others.map(({ name }) => name);
  const detail = `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} picking this order; send the mode SHARE to join, or TAKE_OVER.`;
  return new Failure('order_claimed', detail, { extra: { pickers: names } });
}
