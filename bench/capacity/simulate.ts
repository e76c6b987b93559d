/**
 * A small simulation of the parts of an installation as queues. Operations arrive at random (Poisson), and need the cores
 * of one part after the other. A core works on one operation at a time; the others wait in the order in which they
 * arrived. The service times are exponentially distributed, which is worse than reality, where they vary less.
 */
export type Part = 'api' | 'worker' | 'postgres';
export type Cores = Record<string, number>;
/** A visit to a part, in milliseconds of its processor time. `isLast`: the client has its response after this visit. */
export type Visit = { part: string; ms: number; isLast?: boolean };
export type Operation = { name: string; perSecond: number; visits: readonly Visit[] };
export type Simulated = {
  utilization: Record<string, number>;
  /** Milliseconds from the arrival to the response, sorted, by operation. */
  latencies: Record<string, number[]>;
};

type Job = { operation: Operation; arrivedAt: number; step: number };
type Station = { free: number; waiting: Job[]; busyMs: number };

export function simulate(operations: readonly Operation[], cores: Cores, seconds: number, seed = 1): Simulated {
  const random = createRandom(seed);
  const stations = new Map<string, Station>(
    Object.entries(cores).map(([part, count]) => [part, { free: count, waiting: [], busyMs: 0 }]),
  );
  const latencies: Record<string, number[]> = Object.fromEntries(operations.map(({ name }) => [name, []]));
  const calendar = createCalendar();
  const endMs = seconds * 1000;
  const begin = (job: Job, now: number) => {
    const visit = job.operation.visits[job.step];
    const station = visit && stations.get(visit.part);
    if (!visit || !station) return;
    if (station.free === 0) {
      station.waiting.push(job);
      return;
    }
    station.free -= 1;
    const ms = -Math.log(1 - random()) * visit.ms;
    station.busyMs += ms;
    calendar.add(now + ms, (at) => finish(job, visit, station, at));
  };
  const finish = (job: Job, visit: Visit, station: Station, now: number) => {
    station.free += 1;
    const next = station.waiting.shift();
    if (next) begin(next, now);
    if (visit.isLast) latencies[job.operation.name]?.push(now - job.arrivedAt);
    begin({ ...job, step: job.step + 1 }, now);
  };
  const arrive = (operation: Operation, now: number) => {
    begin({ operation, arrivedAt: now, step: 0 }, now);
    const next = now + (-Math.log(1 - random()) * 1000) / operation.perSecond;
    if (next < endMs) calendar.add(next, (at) => arrive(operation, at));
  };
  for (const operation of operations) if (operation.perSecond > 0) arrive(operation, 0);
  calendar.run();
  const utilization = Object.entries(cores).map(([part, count]) => {
    return [part, (stations.get(part)?.busyMs ?? 0) / (endMs * count)] as const;
  });
  for (const values of Object.values(latencies)) values.sort((a, b) => a - b);
  return { utilization: Object.fromEntries(utilization), latencies };
}

/** Runs callbacks in the order of their times: a binary heap. */
function createCalendar() {
  const heap: { at: number; run(at: number): void }[] = [];
  const swap = (a: number, b: number) => ([heap[a], heap[b]] = [heap[b] as never, heap[a] as never]);
  const time = (index: number) => heap[index]?.at ?? Number.POSITIVE_INFINITY;
  const take = () => {
    const first = heap[0];
    const last = heap.pop();
    if (last && heap.length > 0) {
      heap[0] = last;
      for (let at = 0; ; ) {
        const child = time(2 * at + 1) <= time(2 * at + 2) ? 2 * at + 1 : 2 * at + 2;
        if (time(child) >= time(at)) break;
        swap(at, child);
        at = child;
      }
    }
    return first;
  };
  return {
    add(at: number, run: (at: number) => void) {
      heap.push({ at, run });
      for (let child = heap.length - 1; child > 0; ) {
        const parent = (child - 1) >> 1;
        if (time(parent) <= time(child)) break;
        swap(parent, child);
        child = parent;
      }
    },
    run() {
      for (let next = take(); next; next = take()) next.run(next.at);
    },
  };
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
