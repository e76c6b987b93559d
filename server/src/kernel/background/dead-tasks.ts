import type { Db, Tx } from '../database/db.ts';
import { lockLanes, queueChannel } from './queue.ts';

/** A task that failed on every attempt. The operator decides what happens to it. */
export type DeadTask = {
  task_id: string;
  chain_id: string;
  lane: string | null;
  kind: string;
  attempts: number;
  last_error: string;
  died_at: Date;
  payload: Record<string, unknown>;
};

const fields = 'task_id::text, chain_id, lane, kind, attempts, last_error, died_at, payload';

export function listDeadTasks(db: Db, limit: number): Promise<DeadTask[]> {
  return db.query(`select ${fields} from queue_dead order by died_at desc, task_id desc limit $1`, [limit]);
}

export async function countTasks(db: Db): Promise<{ tasks: number; oldest_seconds: number; dead: number }> {
  const rows = await db.query<{ tasks: number; oldest_seconds: number; dead: number }>(
    `select count(*)::int as tasks, (select count(*)::int from queue_dead) as dead,
       coalesce(extract(epoch from max(now() - run_at) filter (where run_at <= now())), 0)::int as oldest_seconds
     from queue_tasks`,
  );
  return rows[0] as { tasks: number; oldest_seconds: number; dead: number };
}

/** Queues the task again, behind the other tasks in its lane. Undefined if there is no such task. */
export async function retryDeadTask(tx: Tx, taskId: string): Promise<DeadTask | undefined> {
  const [found] = await tx.query<DeadTask>(`select ${fields} from queue_dead where task_id = $1 for update`, [taskId]);
  if (!found) return undefined;
  const lane = found.lane ?? `dead task ${taskId}`;
  await lockLanes(tx, [lane]);
  await tx.query(
    `insert into queue_tasks (chain_id, lane, batch, kind, payload, run_at)
     select d.chain_id, $2, 'dead task ' || d.task_id, d.kind, d.payload,
       case when exists (select from queue_tasks q where q.lane = $2) then 'infinity'::timestamptz else now() end
     from queue_dead d where d.task_id = $1`,
    [taskId, lane],
  );
  await tx.query('delete from queue_dead where task_id = $1', [taskId]);
  tx.notify(queueChannel);
  return found;
}

export async function discardDeadTask(tx: Tx, taskId: string): Promise<DeadTask | undefined> {
  const rows = await tx.query<DeadTask>(`delete from queue_dead where task_id = $1 returning ${fields}`, [taskId]);
  return rows[0];
}
