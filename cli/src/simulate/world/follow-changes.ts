import { setTimeout as sleep } from 'node:timers/promises';
import type { Chain } from './chain.ts';
import type { Offer } from './evidence.ts';
import { readUntilOk } from './readers.ts';
import type { Sender } from './sender.ts';

/** Keeps a copy of a chain's catalog, as a storefront does, until `isOver`, and then until nothing has changed. */
export async function followChanges(
  sender: Sender,
  chain: Chain,
  token: string,
  isOver: () => boolean,
): Promise<Offer[]> {
  const copy = new Map<string, Offer>();
  let cursor = '';
  for (let isLast = isOver(); ; ) {
    const path = `/platform/v1/chains/${chain.chainId}/changes?limit=200${cursor}`;
    const { body } = await readUntilOk(sender, { ...chain, token }, path);
    for (const { vendor_id, sku, price, quantity = null } of body.products) {
      copy.set(`${vendor_id} ${sku}`, { chain_id: chain.chainId, vendor_id, sku, price, quantity });
    }
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`;
    if (body.has_more) continue;
    if (isLast) return [...copy.values()];
    isLast = isOver();
    if (!isLast) await sleep(500);
  }
}
