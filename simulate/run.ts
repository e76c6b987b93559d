import { setTimeout as sleep } from 'node:timers/promises';
import { type Actors, runOrders } from '../cli/src/simulate/world/actors.ts';
import { openReceivers } from '../cli/src/simulate/world/arrivals.ts';
import { runCatalogUpdates, runPromotions } from '../cli/src/simulate/world/catalog-actors.ts';
import type { Chain } from '../cli/src/simulate/world/chain.ts';
import { findViolations } from '../cli/src/simulate/world/checker.ts';
import { type Closing, drawClosings, runClosings } from '../cli/src/simulate/world/closings.ts';
import { readOrdersAndFeed } from '../cli/src/simulate/world/evidence.ts';
import { type FindForeign, foreignFinder } from '../cli/src/simulate/world/foreign.ts';
import { followChanges } from '../cli/src/simulate/world/follow-changes.ts';
import { type History, newHistory, type Violation } from '../cli/src/simulate/world/history.ts';
import { type Random, seeded } from '../cli/src/simulate/world/random.ts';
import { readFeed } from '../cli/src/simulate/world/readers.ts';
import type { Receivers } from '../cli/src/simulate/world/receivers.ts';
import { createSender } from '../cli/src/simulate/world/sender.ts';
import { drawWorld } from '../cli/src/simulate/world/world.ts';
import { type AisleClient, isApiError } from '@aisle/sdk';
import { clientOf } from '../e2e/support/client.ts';
import { makeFolder } from '../e2e/support/folder.ts';
import { createPlatformToken } from '../server/src/identity/index.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { drain } from './drain.ts';
import { drawFaults, type Fault } from './fault-plan.ts';
import { heal, injectFaults } from './faults.ts';
import { type Plant, plantBug, swapEvents } from './plant.ts';
import { populate } from './populate.ts';
import { drawShape } from './shape.ts';
import { readStored } from './stored.ts';

export type Options = {
  seed: number;
  seconds: number;
  /** The run continues without further faults until this many orders are placed; a slow machine needs more time. */
  minOrders?: number;
  plant?: Plant;
  /** The number of orders that are handled at the same time. */
  concurrency?: number;
  /** Called every ten seconds with the progress. */
  onProgress?: (line: string) => void;
};

export type Report = {
  history: History;
  violations: Violation[];
  orders: number;
  events: number;
  faults: Fault[];
  /** Where the logs of the processes are. Deleted if there are no violations. */
  folder: string;
};

/** Runs one simulation, from an empty database to the checks. */
export async function simulate(options: Options): Promise<Report> {
  const { folder, remove, keep } = makeFolder();
  const cluster = await startCluster(folder);
  const report = await runIn(cluster, folder, options).finally(() => cluster.stop());
  if (report.violations.length === 0) remove();
  else keep();
  return report;
}

async function runIn(cluster: Cluster, folder: string, options: Options): Promise<Report> {
  const random = seeded(`aisle ${options.seed}`);
  const plannedFaults = drawFaults(random.fork('faults'), options.seconds * 1000);
  const history = newHistory();
  const world = drawWorld(random.fork('world'), drawShape(random.fork('shape')));
  const closings = drawClosings(random.fork('closings'), world, options.seconds * 1000);
  const chains = await populate(cluster.db, world);
  const findForeign = foreignFinder(chains);
  const receivers = await openReceivers({ chains }, history, findForeign, random.fork('responses').next);
  try {
    const platformToken = await createPlatformToken(cluster.db, 'simulate');
    await cluster.ready();
    await configureWebhooks(cluster, chains, receivers, true);
    if (options.plant) await plantBug(cluster.db, options.plant);
    const setup = { cluster, chains, receivers, history, findForeign, platformToken, random, plannedFaults, closings };
    return { ...(await runWorld(setup, options)), history, folder };
  } finally {
    await receivers.close();
  }
}

type Setup = {
  cluster: Cluster;
  chains: Chain[];
  receivers: Receivers;
  history: History;
  findForeign: FindForeign;
  platformToken: string;
  random: Random;
  plannedFaults: Fault[];
  closings: Closing[];
};

async function runWorld(setup: Setup, options: Options): Promise<Omit<Report, 'history' | 'folder'>> {
  const { cluster, chains, receivers, history, findForeign, platformToken, random, plannedFaults, closings } = setup;
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const sender = createSender({ history, urls: cluster.apiUrls, findForeign, elapsedMs });
  let isOver = false;
  let isDrained = false;
  const faults: Fault[] = [];
  const actors: Actors = {
    sender,
    chains,
    platformToken,
    random: random.fork('actors'),
    isOver: () => isOver,
    pace: 1,
    asPicker: async (work) => {
      await work();
      return true;
    },
  };
  const progress = setInterval(() => options.onProgress?.(progressLine(history, faults, elapsedMs())), 10_000);
  const feeds = Promise.all(chains.map((chain) => readFeed(sender, chain, () => isDrained)));
  // Handled where the feeds are awaited, unless something else fails first.
  feeds.catch(() => {});
  const copies = Promise.all(chains.map((chain) => followChanges(sender, chain, platformToken, () => isDrained)));
  copies.catch(() => {});
  const work = Promise.all([
    runOrders(actors, options.concurrency ?? 8),
    runCatalogUpdates(actors, 500),
    runPromotions(actors, 5),
    runClosings(actors, closings, elapsedMs),
    enableWebhooks(cluster, chains, () => isOver),
    options.plant === 'wrong-order' && swapEvents(cluster.db, () => isOver),
  ]);
  try {
    await injectFaults(cluster, plannedFaults, elapsedMs, (fault) => faults.push(fault));
    await sleep(Math.max(0, options.seconds * 1000 - elapsedMs()));
    while (countOrders(history) < (options.minOrders ?? 0)) await sleep(100);
    isOver = true;
    heal(cluster);
    await work;
    await cluster.ready();
    receivers.revive();
    await configureWebhooks(cluster, chains, receivers, false);
    history.violations.push(...(await drain(cluster.db)));
    isDrained = true;
    const liveFeed = (await feeds).map((events, index) => ({
      chain: chains[index]?.tag ?? '',
      eventIds: events.map(({ eventId }) => eventId),
    }));
    const shown = await readOrdersAndFeed(sender, chains);
    const stored = await readStored(cluster.db);
    const evidence = { chains, liveFeed, ...shown, copies: (await copies).flat(), ...stored };
    const violations = findViolations(history, evidence);
    return { violations, orders: evidence.orders.length, events: evidence.feed.length, faults };
  } finally {
    isOver = true;
    isDrained = true;
    clearInterval(progress);
  }
}

function progressLine(history: History, faults: Fault[], elapsedMs: number): string {
  const events = new Set(history.arrivals.map(({ eventId }) => eventId)).size;
  return `${Math.round(elapsedMs / 1000)} s: ${countOrders(history)} orders, ${events} events received, ${faults.length} faults, ${history.violations.length} violations`;
}

function countOrders({ operations }: History): number {
  return operations.filter(({ kind, outcome }) => kind === 'place' && outcome === 'acknowledged').length;
}

/** Sets every chain's webhook. At first, some have a wrong URL. */
async function configureWebhooks(
  cluster: Cluster,
  chains: Chain[],
  receivers: Receivers,
  isFirst: boolean,
): Promise<void> {
  for (const chain of chains) {
    const url = receivers.urlOf(chain.tag);
    const used = isFirst && chain.receiver === 'wrong-tls' ? url.replace('http:', 'https:') : url;
    const body = { environment: 'production', production_url: used, production_catalog_url: used } as const;
    await callUntilOk(cluster, chain, (client) => client.putWebhook({ body }));
    if (!isFirst) await callUntilOk(cluster, chain, (client) => client.enableWebhook());
  }
}

async function callUntilOk(
  cluster: Cluster,
  chain: Chain,
  call: (client: AisleClient) => Promise<unknown>,
): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = clientOf({ url: String(cluster.apiUrls[tries % cluster.apiUrls.length]) }, chain);
    try {
      await call(client);
      return;
    } catch (error) {
      if (tries > 60 || (isApiError(error) && error.status < 500)) throw error;
    }
    await sleep(500);
  }
}

/** Keeps enabling the webhooks that 410 responses have disabled, as a partner would. */
async function enableWebhooks(cluster: Cluster, chains: Chain[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await sleep(1000);
    for (const chain of chains.filter(({ receiver }) => receiver === 'gone')) {
      await callUntilOk(cluster, chain, (client) => client.enableWebhook()).catch(() => {});
    }
  }
}
