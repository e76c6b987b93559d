import { randomUUID } from 'node:crypto';
import { StoppedError } from '../errors.ts';
import {
  createChains,
  createProducts,
  type ManagedChain,
  type Platform,
  setWebhooks,
  waitForArrival,
} from './create-chains.ts';
import { drawArrivals } from './curve.ts';
import { readEvidence } from './evidence.ts';
import { runMarket } from './market.ts';
import type { Monitor } from './monitor.ts';
import type { SimulateOptions } from './options.ts';
import type { Pickers } from './pickers.ts';
import { settle } from './settle.ts';
import { drawShape } from './shape.ts';
import type { Actors } from './world/actors.ts';
import { openReceivers } from './world/arrivals.ts';
import { runCatalogUpdates, runPromotions } from './world/catalog-actors.ts';
import { findViolations } from './world/checker.ts';
import { drawClosings, runClosings } from './world/closings.ts';
import type { Evidence } from './world/evidence.ts';
import { foreignFinder } from './world/foreign.ts';
import type { Violation } from './world/history.ts';
import { type Random, seeded } from './world/random.ts';
import { readFeed } from './world/readers.ts';
import type { Receivers } from './world/receivers.ts';
import { createSender, type Sender } from './world/sender.ts';
import { drawWorld, type World } from './world/world.ts';

export type Run = {
  platform: Platform;
  options: SimulateOptions;
  seed: number;
  planned: number;
  pickers: Pickers;
  monitor: Monitor;
  /** Aborted by Ctrl-C, which ends the ordering phase. */
  signal: AbortSignal;
};

export type Outcome = { evidence: Evidence; violations: Violation[]; world: World; settledMs: number };

/** An order takes a picker up to this many times 60 ms. */
const pace = 8;
const maxUpdatePauseMs = 15_000;
const promotionPauseSeconds = 20;
const patienceMs = 45_000;

/** Runs one simulation, from creating the chains to the checks. */
export async function runSimulation(run: Run): Promise<Outcome> {
  const { platform, options, seed, planned, monitor, signal } = run;
  const { history, statistics } = monitor;
  const random = seeded(`aisle ${seed}`);
  const world = drawWorld(random.fork('world'), drawShape(random.fork('shape'), options.stores, planned));
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const chains = await createChains(platform, world, seed);
  const findForeign = foreignFinder(chains);
  const receivers = await openReceivers(
    world,
    history,
    findForeign,
    random.fork('responses').next,
    addressOf(options.receiverHost),
  );
  const sender = createSender({
    history,
    urls: [platform.url],
    findForeign,
    elapsedMs,
    // A server that is too slow must not also have to process repeated requests.
    timeoutMs: 30_000,
    keyPrefix: `${randomUUID()} `,
    onResponse: statistics.record,
  });
  try {
    await setWebhooks(chains, receivers);
    await createProducts(chains, history, elapsedMs, signal);
    await waitForArrival(history, receivers, signal);
    if (signal.aborted) throw new StoppedError();
    return { world, ...(await runWorld({ ...run, world, chains, receivers, sender, random, elapsedMs })) };
  } finally {
    await receivers.close();
  }
}

type Running = Run & {
  world: World;
  chains: ManagedChain[];
  receivers: Receivers;
  sender: Sender;
  random: Random;
  elapsedMs(): number;
};

async function runWorld(running: Running): Promise<Omit<Outcome, 'world'>> {
  const { chains, sender, monitor } = running;
  let isDrained = false;
  const feeds = Promise.all(
    chains.map((chain) => readFeed(sender, chain, () => isDrained, { pauseMs: 500, onEvent: monitor.recordEvent })),
  );
  // Handled where the feeds are awaited, unless something else fails first.
  feeds.catch(() => {});
  try {
    await runDay(running);
    const settlingSince = performance.now();
    monitor.setPhase('settling');
    const { history, hasEvent, setPending } = monitor;
    const since = new Date(Date.now() - 86_400_000).toISOString();
    history.violations.push(
      ...(await settle({ sender, chains, history, since, hasEvent, onProgress: setPending, patienceMs })),
    );
    isDrained = true;
    const settledMs = performance.now() - settlingSince;
    monitor.setPhase('checking');
    const liveFeed = (await feeds).map((events, index) => ({
      chain: chains[index]?.tag ?? '',
      eventIds: events.map(({ eventId }) => eventId),
    }));
    const evidence = await readEvidence(sender, chains, history, liveFeed);
    return { evidence, violations: findViolations(history, evidence), settledMs };
  } finally {
    isDrained = true;
    monitor.setPhase('done');
  }
}

/** Customers, pickers, riders, catalog systems and stores act until the duration has passed and all orders are done. */
async function runDay({
  platform,
  options: { profile, duration: durationMs },
  planned,
  pickers,
  monitor,
  signal,
  world,
  chains,
  receivers,
  sender,
  random,
}: Running): Promise<void> {
  let isOver = false;
  const actors: Actors = {
    sender,
    chains,
    platformToken: platform.token,
    random: random.fork('actors'),
    isOver: () => isOver,
    pace,
    asPicker: pickers.asPicker,
  };
  const arrivals = drawArrivals(random.fork('arrivals'), profile, planned, durationMs);
  const closings = drawClosings(random.fork('closings'), world, durationMs);
  monitor.setPhase('ordering');
  const openedAt = performance.now();
  const elapsedMs = () => performance.now() - openedAt;
  const repair = setTimeout(receivers.revive, durationMs * 0.6);
  const others = Promise.all([
    runCatalogUpdates(actors, maxUpdatePauseMs),
    runPromotions(actors, promotionPauseSeconds),
    runClosings(actors, closings, elapsedMs),
  ]);
  others.catch(() => {});
  const isStopped = () => signal.aborted;
  try {
    await runMarket({ actors, arrivals, durationMs, pickers, monitor, elapsedMs, isStopped });
  } finally {
    isOver = true;
    clearTimeout(repair);
    receivers.revive();
  }
  await others;
}

function addressOf(host: string) {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(host);
  return { host, listenOn: isLocal ? host.replaceAll(/[[\]]/g, '') : '0.0.0.0' };
}
