import type { OperationKind } from './world/history.ts';

export type Latency = { count: number; p50: number; p95: number; p99: number; max: number };

export type Statistics = {
  record(kind: OperationKind | 'read', durationMs: number, status: number | undefined): void;
  /** Milliseconds. */
  latencyOf(kind: OperationKind | 'read'): Latency;
  requests(): number;
  /** How many requests were rejected because of a rate limit. */
  limited(): number;
  /** How many requests got no response. */
  unanswered(): number;
};

export function createStatistics(): Statistics {
  const histograms = new Map<OperationKind | 'read', Histogram>();
  let requests = 0;
  let limited = 0;
  let unanswered = 0;
  const histogramOf = (kind: OperationKind | 'read') => {
    const found = histograms.get(kind) ?? createHistogram();
    histograms.set(kind, found);
    return found;
  };
  return {
    record(kind, durationMs, status) {
      requests += 1;
      if (status === 429) limited += 1;
      if (status === undefined) unanswered += 1;
      else histogramOf(kind).record(durationMs);
    },
    latencyOf(kind) {
      const { count, max, percentile } = histogramOf(kind);
      return { count: count(), p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99), max: max() };
    },
    requests: () => requests,
    limited: () => limited,
    unanswered: () => unanswered,
  };
}

type Histogram = {
  record(value: number): void;
  count(): number;
  max(): number;
  percentile(share: number): number;
};

/** Each bucket is this much wider than the one before, so a percentile is accurate to about 2%. */
const growth = 1.04;

/** Durations are counted in buckets, because a long run has too many to keep. */
function createHistogram(): Histogram {
  const buckets: number[] = [];
  let count = 0;
  let max = 0;
  return {
    record(value) {
      const index = Math.max(0, Math.round(Math.log(Math.max(value, 0.1) / 0.1) / Math.log(growth)));
      buckets[index] = (buckets[index] ?? 0) + 1;
      count += 1;
      max = Math.max(max, value);
    },
    count: () => count,
    max: () => Math.round(max * 10) / 10,
    percentile(share) {
      let seen = 0;
      const index = buckets.findIndex((_, at) => (seen += buckets[at] ?? 0) >= count * share && seen > 0);
      return index < 0 ? 0 : Math.round(Math.min(max, 0.1 * growth ** index) * 10) / 10;
    },
  };
}
