import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../server/src/kernel/database/db.ts';
import type { Violation } from '../cli/src/simulate/world/history.ts';

const maxSeconds = 120;

/**
 * Waits until nothing is pending. Scheduled retries of deliveries, and of tasks whose workers were killed several times,
 * are made due now, because the next one could be hours away. Returns a violation if something stays pending.
 */
export async function drain(db: Database): Promise<Violation[]> {
  const deadline = performance.now() + maxSeconds * 1000;
  for (;;) {
    const pending = await countPending(db);
    const total = pending && pending.events + pending.deliveries + pending.tasks;
    if (total === 0) return [];
    if (performance.now() > deadline) {
      const message = `after ${maxSeconds} s without faults, ${JSON.stringify(pending)} are still pending`;
      return [{ rule: 'everything finishes', message }];
    }
    await sleep(200);
  }
}

/** Returns undefined if the database is still recovering. */
async function countPending(db: Database): Promise<{ events: number; deliveries: number; tasks: number } | undefined> {
  try {
    await db.query('update delivery_lanes set due_at = now() where not is_leased and due_at > now()');
    await db.query(
      `update queue_tasks set run_at = now() where task_id in (
         select task_id from queue_tasks where deaths > 0 and run_at > now() + interval '20 seconds'
           and run_at < 'infinity' order by task_id for update skip locked)`,
    );
    const rows = await db.query<{ events: number; deliveries: number; tasks: number }>(
      `select (select count(*) from events where position is null)::int as events,
         (select count(*) from deliveries where status in ('PENDING', 'FAILED'))::int as deliveries,
         (select count(*) from queue_tasks)::int as tasks`,
    );
    return rows[0];
  } catch {
    return undefined;
  }
}
