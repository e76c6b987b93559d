import { setTimeout as sleep } from 'node:timers/promises';
import { closedReasons } from '@aisle/sdk';
import type { Actors } from './actors.ts';
import type { Chain } from './chain.ts';
import { drawSend } from './order-plan.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** A store that closes for some time. */
export type Closing = {
  chain: string;
  store: number;
  atMs: number;
  durationMs: number;
  reason: (typeof closedReasons)[number];
};

/** Draws the closings of a simulation that takes this long. A store closes at most once. */
export function drawClosings(random: Random, { chains }: World, totalMs: number): Closing[] {
  const stores = chains.flatMap(({ tag, stores: own }) => own.map((_, store) => ({ chain: tag, store })));
  return random.sample(stores, Math.ceil(stores.length / 5)).map((store) => ({
    ...store,
    atMs: Math.round(totalMs * (0.1 + random.next() * 0.6)),
    durationMs: Math.round(totalMs * (0.05 + random.next() * 0.15)),
    reason: random.pick(closedReasons),
  }));
}

/** Closes stores and opens them again. All of them are open when this returns, if the API can be reached. */
export async function runClosings(actors: Actors, closings: Closing[], elapsedMs: () => number): Promise<void> {
  await Promise.all(closings.map((closing) => runClosing(actors, closing, elapsedMs)));
}

async function runClosing(actors: Actors, closing: Closing, elapsedMs: () => number): Promise<void> {
  const { chain: tag, store, atMs, durationMs, reason } = closing;
  const chain = actors.chains.find((each) => each.tag === tag) as Chain;
  const random = actors.random.fork(`${tag} store ${store} closing`);
  await sleepUntil(atMs, actors.isOver, elapsedMs);
  if (actors.isOver()) return;
  const body = { status: 'CLOSED_UNTIL', until_reopened: true, closed_reason: reason };
  await putStatus(actors, chain, store, 'close', body, random);
  await sleepUntil(atMs + durationMs, actors.isOver, elapsedMs);
  await putStatus(actors, chain, store, 'open', { status: 'OPEN' }, random);
}

async function putStatus(
  { sender }: Actors,
  chain: Chain,
  store: number,
  kind: 'close' | 'open',
  body: object,
  random: Random,
): Promise<void> {
  const vendorId = chain.vendors[store] ?? '';
  const request = { method: 'PUT', path: `${chain.base}/vendors/${vendorId}/status`, token: chain.token, body };
  await sender.write({ chain: chain.tag, kind, vendorId }, request, drawSend(random));
}

async function sleepUntil(atMs: number, isOver: () => boolean, elapsedMs: () => number): Promise<void> {
  while (!isOver() && elapsedMs() < atMs) await sleep(Math.min(200, Math.max(1, atMs - elapsedMs())));
}
