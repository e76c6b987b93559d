import type { Pickers } from './pickers.ts';
import type { Pending } from './settle.ts';
import { createStatistics, type Latency, type Statistics } from './statistics.ts';
import type { Change } from './world/actors.ts';
import { type History, newHistory } from './world/history.ts';
import type { FeedEvent } from './world/readers.ts';

export type Phase = 'preparing' | 'ordering' | 'finishing' | 'settling' | 'checking' | 'done';

/** What is known about the run at one moment. */
export type Snapshot = {
  phase: Phase;
  elapsedMs: number;
  durationMs: number;
  planned: number;
  sent: number;
  accepted: number;
  rejected: { soldOut: number; closed: number };
  perSecond: number;
  waiting: number;
  busy: number;
  pickers: number;
  closedStores: number;
  latencies: { place: Latency; fulfil: Latency; pickup: Latency; deliver: Latency };
  events: number;
  delivered: number;
  messages: number;
  pending: Pending | undefined;
  limited: number;
  violations: number;
};

/** Counts what happens while the simulation runs. */
export type Monitor = {
  history: History;
  statistics: Statistics;
  setPhase(phase: Phase): void;
  setPending(pending: Pending): void;
  recordEvent(event: FeedEvent): void;
  hasEvent(orderId: string, revision: number): boolean;
  recordSent(lateMs: number): void;
  recordPlaced(change: Change | undefined): void;
  /** The highest number of orders that were sent in one second. */
  maxPerSecond(): number;
  sent(): number;
  /** How late the latest order was sent. */
  maxLateMs(): number;
  /** How long customers have ordered. */
  orderedMs(): number;
  snapshot(): Snapshot;
};

type Setup = { planned: number; durationMs: number; pickerCount: number; pickers: Pickers };

export function createMonitor({ planned, durationMs, pickerCount, pickers }: Setup): Monitor {
  const history = newHistory();
  const statistics = createStatistics();
  const seen = new Set<string>();
  const delivered = new Set<string>();
  /** The number of orders that were sent in each second of the ordering phase. */
  const perSecond: number[] = [];
  let phase: Phase = 'preparing';
  let openedAt = 0;
  let orderedMs = 0;
  let maxLateMs = 0;
  let pending: Pending | undefined;
  let countedArrivals = 0;
  let countedOperations = 0;
  const closed = new Set<string | undefined>();
  let [sent, accepted, events] = [0, 0, 0];
  const elapsedMs = () => (phase === 'preparing' ? 0 : performance.now() - openedAt);
  return {
    history,
    statistics,
    setPhase(next) {
      if (next === 'ordering') openedAt = performance.now();
      if (next === 'finishing') orderedMs = performance.now() - openedAt;
      phase = next;
    },
    setPending: (next) => void (pending = next),
    recordEvent({ orderId, revision }) {
      events += 1;
      if (orderId !== undefined) seen.add(`${orderId} ${revision}`);
    },
    hasEvent: (orderId, revision) => seen.has(`${orderId} ${revision}`),
    recordSent(lateMs) {
      sent += 1;
      maxLateMs = Math.max(maxLateMs, lateMs);
      const second = Math.floor(elapsedMs() / 1000);
      perSecond[second] = (perSecond[second] ?? 0) + 1;
    },
    recordPlaced: (change) => void (accepted += change ? 1 : 0),
    maxPerSecond: () => perSecond.reduce((max, count) => Math.max(max, count), 0),
    sent: () => sent,
    maxLateMs: () => maxLateMs,
    orderedMs: () => orderedMs,
    snapshot() {
      for (; countedArrivals < history.arrivals.length; countedArrivals++) {
        delivered.add(history.arrivals[countedArrivals]?.eventId ?? '');
      }
      for (; countedOperations < history.operations.length; countedOperations++) {
        const { kind, vendorId } = history.operations[countedOperations] ?? {};
        if (kind === 'close') closed.add(vendorId);
        if (kind === 'open') closed.delete(vendorId);
      }
      const { latencyOf } = statistics;
      return {
        phase,
        elapsedMs: elapsedMs(),
        durationMs,
        planned,
        sent,
        accepted,
        rejected: countRejected(history),
        perSecond: phase === 'ordering' ? recentRate(perSecond, elapsedMs()) : 0,
        waiting: pickers.waiting(),
        busy: pickers.busy(),
        pickers: pickerCount,
        closedStores: closed.size,
        latencies: {
          place: latencyOf('place'),
          fulfil: latencyOf('fulfil'),
          pickup: latencyOf('pickup'),
          deliver: latencyOf('deliver'),
        },
        // The reader of the feed can be behind the receivers.
        events: Math.max(events, delivered.size),
        delivered: delivered.size,
        messages: history.arrivals.length,
        pending,
        limited: statistics.limited(),
        violations: history.violations.length,
      };
    },
  };
}

function countRejected({ responses }: History): Snapshot['rejected'] {
  return { soldOut: responses.get('400 invalid_request') ?? 0, closed: responses.get('400 vendor_closed') ?? 0 };
}

/** The average of the last five complete seconds. */
function recentRate(perSecond: readonly number[], elapsedMs: number): number {
  const end = Math.floor(elapsedMs / 1000);
  const start = Math.max(0, end - 5);
  let sum = 0;
  for (let second = start; second < end; second++) sum += perSecond[second] ?? 0;
  return end > start ? sum / (end - start) : 0;
}
