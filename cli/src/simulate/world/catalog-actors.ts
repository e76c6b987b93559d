import { setTimeout as sleep } from 'node:timers/promises';
import type { Actors } from './actors.ts';
import { groupBy } from './group-by.ts';
import type { Write } from './history.ts';
import { drawSend } from './order-plan.ts';
import type { Chain } from './chain.ts';
import type { Random } from './random.ts';
import type { PromotionPlan } from './world.ts';

/** Simulates one catalog system per store, which sends one update at a time, with a pause of up to this long. */
export async function runCatalogUpdates(actors: Actors, maxPauseMs: number): Promise<void> {
  const stores = actors.chains.flatMap((chain) => chain.vendors.map((vendorId) => ({ chain, vendorId })));
  await Promise.all(stores.map(({ chain, vendorId }) => updateStore(actors, chain, vendorId, maxPauseMs)));
}

async function updateStore(actors: Actors, chain: Chain, vendorId: string, maxPauseMs: number): Promise<void> {
  for (let number = 1; !actors.isOver(); number++) {
    const random = actors.random.fork(`${chain.tag} store ${chain.vendors.indexOf(vendorId)} update ${number}`);
    const writes = drawWrites(random, chain, vendorId);
    const skus = [...groupBy(writes, ({ sku }) => sku)];
    const products = skus.map(([sku, own]) => ({
      sku,
      ...Object.fromEntries(own.map(({ field, value }) => [field, value])),
    }));
    const path = `${chain.base}/vendors/${vendorId}/catalog`;
    const request = { method: 'PUT', path, token: chain.token, body: { products } };
    await actors.sender.write({ chain: chain.tag, kind: 'update', writes }, request, drawSend(random));
    const pauseMs = random.integer(maxPauseMs / 10, maxPauseMs);
    for (let slept = 0; slept < pauseMs && !actors.isOver(); slept += 200) await sleep(Math.min(200, pauseMs - slept));
  }
}

/** Half of the updates concern a single product, which is updated immediately instead of by a job. */
function drawWrites(random: Random, chain: Chain, vendorId: string): Write[] {
  const updatable = chain.products.filter(({ kind }) => kind === 'plenty' || kind === 'restocked');
  const chosen = random.sample(updatable, random.chance(0.5) ? 1 : random.integer(2, updatable.length));
  return chosen.flatMap(({ sku, kind }): Write[] => {
    const price: Write = { vendorId, sku, field: 'price', value: random.integer(100, 5000) / 100 };
    const quantity: Write = { vendorId, sku, field: 'quantity', value: random.integer(0, 1000) };
    return kind === 'plenty' ? [price] : [price, quantity];
  });
}

/** Creates the promotions, and then sends them again every few seconds, which must change nothing. */
export async function runPromotions(actors: Actors, pauseSeconds: number): Promise<void> {
  for (let number = 1; ; number++) {
    for (const chain of actors.chains) {
      const random = actors.random.fork(`${chain.tag} promotions ${number}`);
      for (const promotion of chain.promotions) await sendPromotion(actors, chain, promotion, random);
    }
    for (let seconds = 0; seconds < pauseSeconds; seconds++) {
      if (actors.isOver()) return;
      await sleep(1000);
    }
  }
}

async function sendPromotion(actors: Actors, chain: Chain, promotion: PromotionPlan, random: Random): Promise<void> {
  const { name, sku, type, percent, limits } = promotion;
  const bundle = type === 'SAME_ITEM_BUNDLE' ? { purchased_quantity: 2, discounted_quantity: 1 } : {};
  const body = {
    vendors: ['*'],
    type,
    active: true,
    display_name: { en_AE: name },
    conditions: { ...period, ...bundle },
    limits,
    discount: [{ discount_subtype: 'PERCENTAGE', discount_value: percent, sku: [sku] }],
  };
  const request = { method: 'PUT', path: `${chain.base}/promotion`, token: chain.token, body };
  await actors.sender.write({ chain: chain.tag, kind: 'promotion' }, request, drawSend(random));
}

const hour = 3_600_000;
const thisHour = Math.floor(Date.now() / hour) * hour;
/** Starts before the simulation and ends after it, and is the same in all requests in a run. */
const period = {
  start_time: new Date(thisHour - 24 * hour).toISOString(),
  end_time: new Date(thisHour + 48 * hour).toISOString(),
};
