import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from '../support/processes.ts';

/** Returns the number of messages per second between the first and the last arrival at the receiver. */
export async function measureArrivals(receiver: Running, count: number, work: () => Promise<unknown>): Promise<number> {
  await fetch(`${receiver.url}/reset`, { method: 'POST' });
  const working = work();
  const { first, last } = await waitForArrivals(receiver, count);
  await working;
  return (1000 * count) / (last - first);
}

async function waitForArrivals({ url }: Running, count: number): Promise<{ first: number; last: number }> {
  for (;;) {
    const stats = (await (await fetch(`${url}/stats`)).json()) as { count: number; first: number; last: number };
    if (stats.count >= count) return stats;
    await sleep(100);
  }
}
