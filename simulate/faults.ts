import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Fault } from './fault-plan.ts';

/** Injects the planned faults at their times, and returns when all of them have ended. */
export async function injectFaults(
  cluster: Cluster,
  faults: Fault[],
  elapsedMs: () => number,
  onFault: (fault: Fault) => void,
): Promise<void> {
  const running: Promise<void>[] = [];
  for (const fault of faults) {
    await sleep(Math.max(0, fault.atMs - elapsedMs()));
    if (fault.kind === 'fill-disk' && !cluster.disk) continue;
    onFault(fault);
    running.push(inject(cluster, fault));
  }
  await Promise.all(running);
}

/** Ends all faults that are still active, and corrects the clocks. */
export function heal(cluster: Cluster): void {
  cluster.disk?.free();
  for (const machine of Object.values(cluster.processes)) {
    machine.database.slow(0);
    machine.clients?.slow(0);
    machine.signal('SIGCONT');
    if (machine.skewMs === 0) continue;
    machine.skewMs = 0;
    machine.signal('SIGKILL');
  }
}

async function inject(cluster: Cluster, fault: Fault): Promise<void> {
  const { databaseServer, disk, processes } = cluster;
  switch (fault.kind) {
    case 'kill':
      return processes[fault.process].signal('SIGKILL');
    case 'freeze':
      return freeze(processes[fault.process].signal, fault.durationMs);
    case 'skew':
      processes[fault.process].skewMs = fault.skewMs;
      return processes[fault.process].signal('SIGKILL');
    case 'cut-database':
      return processes[fault.process].database.cut();
    case 'slow-database':
      return slowDown(processes[fault.process].database, fault.durationMs);
    case 'cut-clients':
      return processes[fault.process].clients?.cut();
    case 'slow-clients':
      return slowDown(processes[fault.process].clients, fault.durationMs);
    case 'kill-database':
      return databaseServer.kill();
    case 'restart-database':
      return databaseServer.restart();
    case 'freeze-database':
      return freezeBackend(cluster, fault.durationMs);
    case 'fill-disk':
      disk?.fill();
      await sleep(fault.durationMs);
      return disk?.free();
  }
}

async function freeze(signal: (signal: NodeJS.Signals) => void, durationMs: number): Promise<void> {
  signal('SIGSTOP');
  await sleep(durationMs);
  signal('SIGCONT');
}

async function slowDown(proxy: { slow(delayMs: number): void } | undefined, durationMs: number): Promise<void> {
  proxy?.slow(40);
  await sleep(durationMs);
  proxy?.slow(0);
}

/** Freezes one of PostgreSQL's processes, if possible one that is in a transaction and holds locks. */
async function freezeBackend({ db }: Cluster, durationMs: number): Promise<void> {
  const rows = await db
    .query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name like 'aisle%'
       order by state = 'active' desc, xact_start is not null desc, random() limit 1`,
    )
    .catch(() => []);
  const pid = rows[0]?.pid;
  if (pid === undefined) return;
  await freeze((signal) => signalIfRunning(pid, signal), durationMs);
}

function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has exited.
  }
}
