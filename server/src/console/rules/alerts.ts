import type { AlertKind } from '@aisle/contract/alerts';

/** Something that needs the operator's attention. `cause` identifies it within its chain. */
export type Cause = {
  chain_id: string;
  kind: AlertKind;
  cause: string;
  vendor_id: string | null;
  webhook_id: string | null;
  url: string | null;
  since: Date;
  waiting: number | null;
};

type Named = { chain_id: string; cause: string };

/** What has to change, so that there is one open alert for each cause. */
export function compareCauses<Open extends Named>(
  open: readonly Open[],
  causes: readonly Cause[],
): { started: Cause[]; ended: Open[] } {
  const openKeys = new Set(open.map(keyOf));
  const causeKeys = new Set(causes.map(keyOf));
  return {
    started: causes.filter((cause) => !openKeys.has(keyOf(cause))),
    ended: open.filter((alert) => !causeKeys.has(keyOf(alert))),
  };
}

function keyOf({ chain_id, cause }: Named): string {
  return `${chain_id} ${cause}`;
}

/**
 * A backlog is too old from `maxSeconds` on, and until it is half as old. Otherwise, one that stays close to the limit
 * would start and end alerts all the time.
 */
export function isDelayed(oldestSeconds: number, maxSeconds: number, isOpen: boolean): boolean {
  return oldestSeconds >= (isOpen ? maxSeconds / 2 : maxSeconds);
}

/** An open store with orders that have been waiting too long. */
export type WaitingStore = { chain_id: string; vendor_id: string; orders: number; waiting_since: Date };

/** When credentials that can work on orders were last used. They can be limited to some stores. */
export type LastUse = { chain_id: string; vendor_ids: readonly string[] | null; at: Date };

/** The stores that leave orders waiting although none of their devices and clients has been seen since `limit`. */
export function findSilentStores(waiting: readonly WaitingStore[], uses: readonly LastUse[], limit: Date): Cause[] {
  const lastUse = indexUses(uses);
  return waiting.flatMap((store) => {
    const lastSeen = Math.max(lastUse(store.chain_id, undefined), lastUse(store.chain_id, store.vendor_id));
    if (lastSeen > limit.getTime()) return [];
    const since = new Date(Math.max(lastSeen, store.waiting_since.getTime()));
    return [silence(store, since)];
  });
}

/** Finds the last use of the credentials of one store, or of those for all stores of a chain. 0 if there was none. */
function indexUses(uses: readonly LastUse[]): (chainId: string, vendorId: string | undefined) => number {
  const last = new Map<string, Map<string | undefined, number>>();
  for (const { chain_id, vendor_ids, at } of uses) {
    const ofChain = last.get(chain_id) ?? new Map<string | undefined, number>();
    last.set(chain_id, ofChain);
    for (const id of vendor_ids ?? [undefined]) ofChain.set(id, Math.max(ofChain.get(id) ?? 0, at.getTime()));
  }
  return (chainId, vendorId) => last.get(chainId)?.get(vendorId) ?? 0;
}

function silence({ chain_id, vendor_id, orders: waiting }: WaitingStore, since: Date): Cause {
  return {
    chain_id,
    kind: 'STORE_SILENT',
    cause: `store ${vendor_id}`,
    vendor_id,
    webhook_id: null,
    url: null,
    since,
    waiting,
  };
}
