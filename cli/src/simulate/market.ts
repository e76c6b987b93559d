import { setTimeout as sleep } from 'node:timers/promises';
import type { Monitor } from './monitor.ts';
import type { Pickers } from './pickers.ts';
import { type Actors, finishOrder, placeOrder } from './world/actors.ts';

type Market = {
  actors: Actors;
  /** When each order comes, in milliseconds. */
  arrivals: number[];
  durationMs: number;
  pickers: Pickers;
  monitor: Monitor;
  elapsedMs(): number;
  isStopped(): boolean;
};

/** If the server is slower than the customers, this many requests wait, and the other customers come later. */
const maxPlacing = 16;
/** How long pickers work after the last order. */
const overtimeMs = 30_000;

/** Places the orders at their times, and returns when all of them are finished or the pickers have left. */
export async function runMarket({
  actors,
  arrivals,
  durationMs,
  pickers,
  monitor,
  elapsedMs,
  isStopped,
}: Market): Promise<void> {
  const orders = new Set<Promise<void>>();
  let placing = 0;
  const serve = async (number: number, atMs: number) => {
    monitor.recordSent(elapsedMs() - atMs);
    placing += 1;
    const change = await placeOrder(actors, number).finally(() => (placing -= 1));
    monitor.recordPlaced(change);
    if (change) await finishOrder(change);
  };
  for (const [index, atMs] of arrivals.entries()) {
    while (!isStopped() && elapsedMs() < atMs) await sleep(Math.min(100, Math.max(1, atMs - elapsedMs())));
    while (!isStopped() && placing >= maxPlacing) await sleep(5);
    // Orders that are late are still sent, unless the run would take twice as long.
    if (isStopped() || elapsedMs() > durationMs * 2) break;
    const order: Promise<void> = serve(index + 1, atMs).finally(() => orders.delete(order));
    orders.add(order);
  }
  while (!isStopped() && elapsedMs() < durationMs) await sleep(50);
  monitor.setPhase('finishing');
  const overtime = setTimeout(pickers.leave, overtimeMs);
  await Promise.all(orders);
  clearTimeout(overtime);
}
