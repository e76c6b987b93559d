import { Gauge, type Registry } from 'prom-client';

export type GaugeValue = { labels?: Record<string, string>; value: number };

/**
 * A gauge that is read from the database at each scrape, because it covers the whole installation and not only this
 * process. So all processes have the same values, which are not added up. If the database does not respond in time, there
 * are no values, because old ones, or 0, would be taken for the state of now.
 */
export function registerDatabaseGauge(
  registry: Registry,
  { name, help, labels = [] }: { name: string; help: string; labels?: string[] },
  read: () => Promise<readonly GaugeValue[]>,
): void {
  const readOnce = shareRead(read);
  new Gauge({
    registers: [registry],
    aggregator: 'max',
    name,
    help,
    labelNames: labels,
    async collect() {
      const values = await inTime(readOnce());
      this.reset();
      // Without labels, there is a value of 0 after `reset`.
      if (labels.length === 0) this.remove();
      for (const one of values) this.set(one.labels ?? {}, one.value);
    },
  });
}

/** Does not read again while a read is in progress. Otherwise, scrapes of a frozen database would use up its connections. */
export function shareRead<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | undefined;
  return () => (current ??= read().finally(() => (current = undefined)));
}

/** Less than the supervisor waits for the metrics of a process. */
const maxWaitMs = 2000;

async function inTime(reading: Promise<readonly GaugeValue[]>): Promise<readonly GaugeValue[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly GaugeValue[]>();
  const timer = setTimeout(() => resolve([]), maxWaitMs);
  return Promise.race([reading.catch(() => []), late]).finally(() => clearTimeout(timer));
}
