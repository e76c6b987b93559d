import { createClient } from '../support/client.ts';
import { percentile } from '../support/report.ts';
import type { Fixture } from './fixture.ts';
import { skuOf } from './fixture.ts';

export type Latencies = { read: number[]; single: number[] };

/** Measures the latency of one client that reads and one that updates prices, until `isOver` returns true. */
export async function measureOthers(
  url: string,
  fixture: Fixture,
  vendor: string,
  isOver: () => boolean,
): Promise<Latencies> {
  const latencies: Latencies = { read: [], single: [] };
  const client = createClient(url, 2);
  const timed = async (into: number[], method: string, path: string, body?: unknown) => {
    const started = performance.now();
    const { status, text } = await client.send(method, `${fixture.base}${path}`, fixture.token, body);
    if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`);
    into.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const read = async () => {
    while (!isOver()) await timed(latencies.read, 'GET', '/catalog/jobs?page_size=20');
  };
  const write = async () => {
    for (let index = 0; !isOver(); index++) {
      const products = [{ sku: skuOf((index * 7919) % 10_000), price: 3 + (index % 100) / 100 }];
      await timed(latencies.single, 'PUT', `/vendors/${vendor}/catalog`, { products });
    }
  };
  await Promise.all([read(), write()]);
  client.close();
  return latencies;
}

export function describe(values: number[]): { p50: number; p99: number } {
  return { p50: percentile(values, 0.5), p99: percentile(values, 0.99) };
}

/** Returns the longest time in ms for which the server's event loop has been blocked since the last call. */
export async function longestStall(url: string): Promise<number> {
  return 1000 * (await metric(url, 'nodejs_eventloop_lag_max_seconds'));
}

export async function memoryMb(url: string): Promise<number> {
  return (await metric(url, 'process_resident_memory_bytes')) / 1024 / 1024;
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Returns the peak memory in MB observed while `work` runs. */
export async function peakMemory(url: string, work: () => Promise<unknown>): Promise<number> {
  let peak = await memoryMb(url);
  let isOver = false;
  const watch = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await memoryMb(url));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  await work();
  isOver = true;
  await watch;
  return peak;
}
