import type { Random } from '../cli/src/simulate/world/random.ts';

export const processNames = ['api-1', 'api-2', 'worker-1', 'worker-2'] as const;
export type ProcessName = (typeof processNames)[number];

/**
 * A fault, injected `atMs` milliseconds after the start.
 *
 * - kill: SIGKILL; the process is started again.
 * - freeze: SIGSTOP, and SIGCONT after the duration.
 * - skew: the process is killed and started again with a clock that is wrong by `skewMs`.
 * - cut-database, slow-database: the connections from one process to PostgreSQL.
 * - cut-clients, slow-clients: the connections from clients to one API process.
 * - kill-database, restart-database, freeze-database: all of PostgreSQL, or one backend for freeze-database.
 * - fill-disk: PostgreSQL's disk is full for the duration.
 */
export type Fault = { atMs: number; durationMs: number } & (
  | { kind: 'kill' | 'freeze' | 'cut-database' | 'slow-database'; process: ProcessName }
  | { kind: 'skew'; process: ProcessName; skewMs: number }
  | { kind: 'cut-clients' | 'slow-clients'; process: 'api-1' | 'api-2' }
  | { kind: 'kill-database' | 'restart-database' | 'freeze-database' | 'fill-disk' }
);

/** Draws the faults for this many milliseconds: one every second and a half on average. */
export function drawFaults(random: Random, totalMs: number): Fault[] {
  const faults: Fault[] = [];
  for (let atMs = 1000 + random.integer(0, 1000); atMs < totalMs - 500; atMs += random.integer(400, 2600)) {
    faults.push({ atMs, ...drawFault(random) });
  }
  return faults;
}

export function describeFault(fault: Fault): string {
  const target = 'process' in fault ? ` ${fault.process}` : '';
  return `${(fault.atMs / 1000).toFixed(1)} s: ${fault.kind}${target} (${fault.durationMs} ms)`;
}

type Drawn = Fault extends infer Each ? (Each extends Fault ? Omit<Each, 'atMs'> : never) : never;

function drawFault(random: Random): Drawn {
  const durationMs = random.integer(300, 3000);
  const process = random.pick(processNames);
  const api = random.pick(['api-1', 'api-2'] as const);
  const roll = random.integer(1, 100);
  if (roll <= 25) return { kind: 'kill', process, durationMs };
  if (roll <= 40) return { kind: 'freeze', process, durationMs };
  if (roll <= 55) return { kind: 'cut-database', process, durationMs };
  if (roll <= 62) return { kind: 'slow-database', process, durationMs };
  if (roll <= 74) return { kind: 'cut-clients', process: api, durationMs };
  if (roll <= 79) return { kind: 'slow-clients', process: api, durationMs };
  if (roll <= 84)
    return { kind: 'skew', process, durationMs, skewMs: random.pick([-3_600_000, -30_000, 30_000, 3_600_000]) };
  if (roll <= 88) return { kind: 'kill-database', durationMs };
  if (roll <= 92) return { kind: 'restart-database', durationMs };
  if (roll <= 97) return { kind: 'freeze-database', durationMs };
  return { kind: 'fill-disk', durationMs };
}
