import type { Database, Db, Tx } from '../database/db.ts';
import { namedLock } from '../database/locks.ts';

/**
 * The background queue: one table, and PostgreSQL's row locks.
 *
 * A task is a row written by the transaction that causes it (`enqueue` takes a `tx`). `run_at` is the whole state:
 * in the past, the task is due; in the future, it waits for its time or a retry, or is leased; infinity, it waits for
 * the task before it in its lane.
 *
 * Claiming pushes `run_at` ahead by a short lease and counts `claim` up. The task then runs inside one transaction
 * that first locks the row by its claim number. As long as that transaction lives nobody else can take the task
 * (claims skip locked rows), so no heartbeat is needed; when its process dies, PostgreSQL rolls back and lets go, and
 * the task is due again as soon as the lease is over. What a task does and that it is done commit together: nothing
 * is lost and nothing is applied twice. A long job runs as many short slices: each answers
 * `again`, with the payload of the next one, until the last.
 *
 * A lane is a serial key: one batch of tasks after the other (most batches are a single task; the tasks of one batch
 * run at the same time). Only the first batch of a lane has a finite `run_at`; its last task wakes the next. Whoever
 * adds to or takes from a lane holds the lane's advisory lock until commit, so tasks of a lane commit in the order of
 * their ids and no task is left asleep.
 *
 * Chains take turns: a claim visits the chains that have due tasks by skipping through the index (one probe a chain,
 * however long its backlog), starting behind the chain it served last.
 */
export type Task = {
  task_id: string;
  chain_id: string;
  lane: string;
  kind: string;
  payload: Record<string, unknown>;
  claim: string;
  attempts: number;
};

export type NewTask = {
  chainId: string;
  lane: string;
  batch: string;
  kind: string;
  payload: Record<string, unknown>;
  /** Not before so many seconds have passed; for the first batch of a lane, those behind it follow as ever. */
  afterSeconds?: number;
};

export const queueChannel = 'aisle_queue';
const leaseSeconds = 3;

/** Waits for the lane and keeps it until the transaction ends. Take it before writing what the task will need. */
export async function lockLane(tx: Tx, lane: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${namedLock('lane')})`, [lane]);
}

export async function enqueue(tx: Tx, tasks: NewTask[]): Promise<void> {
  const lanes = tasks.map((task) => task.lane);
  // Sorted, so that two transactions with several lanes in common cannot wait for each other.
  for (const lane of [...new Set(lanes)].toSorted()) await lockLane(tx, lane);
  await tx.query(
    `insert into queue_tasks (chain_id, lane, batch, kind, payload, run_at)
     select t.chain_id, t.lane, t.batch, t.kind, t.payload,
       case when exists (select from queue_tasks q where q.lane = t.lane and q.batch <> t.batch) then 'infinity'
         else now() + make_interval(secs => t.after_seconds) end
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::float8[]) with ordinality
       as t (chain_id, lane, batch, kind, payload, after_seconds, position)
     order by t.position`,
    [
      tasks.map((task) => task.chainId),
      lanes,
      tasks.map((task) => task.batch),
      tasks.map((task) => task.kind),
      tasks.map((task) => JSON.stringify(task.payload)),
      tasks.map((task) => task.afterSeconds ?? 0),
    ],
  );
  await tx.query(`select pg_notify('${queueChannel}', '')`);
}

/** At most `count` due tasks, chain by chain in turn, beginning behind `afterChain`. */
export function claimTasks(db: Db, count: number, afterChain: string): Promise<Task[]> {
  return db.query(
    `with recursive chains as (
       (select chain_id, run_at from queue_tasks order by chain_id, run_at limit 1)
       union all
       select next.chain_id, next.run_at from chains, lateral (
         select t.chain_id, t.run_at from queue_tasks t where t.chain_id > chains.chain_id
         order by t.chain_id, t.run_at limit 1) next
     ), turn as (
       select chain_id, row_number() over (order by chain_id <= $2, chain_id) as position
       from chains where run_at <= now() order by position limit $1
     ), due as (
       select t.task_id, turn.position, row_number() over (partition by turn.chain_id order by t.run_at, t.task_id) as round
       from turn, lateral (
         select q.task_id, q.run_at from queue_tasks q where q.chain_id = turn.chain_id and q.run_at <= now()
         order by q.run_at, q.task_id limit $1 for update skip locked) t
     )
     update queue_tasks set run_at = now() + make_interval(secs => ${leaseSeconds}), claim = claim + 1, attempts = attempts + 1
     where task_id = any (array(select task_id from due order by round, position limit $1))
     returning task_id, chain_id, lane, kind, payload, claim, attempts`,
    [count, afterChain],
  );
}

/** Locks the task for this transaction; false if the lease ran out and somebody else has it. */
export async function holdTask(tx: Tx, task: Task): Promise<boolean> {
  const rows = await tx.query('select 1 from queue_tasks where task_id = $1 and claim = $2 for update skip locked', [
    task.task_id,
    task.claim,
  ]);
  return rows.length === 1;
}

/** Removes a finished task; the last of its batch wakes the next batch of the lane. */
export async function completeTask(tx: Tx, task: Task): Promise<void> {
  await lockLane(tx, task.lane);
  await tx.query('delete from queue_tasks where task_id = $1', [task.task_id]);
  const woken = await tx.query(
    `with next as (select batch from queue_tasks where lane = $1 order by task_id limit 1)
     update queue_tasks q set run_at = now() from next
     where q.lane = $1 and q.batch = next.batch and q.run_at = 'infinity' returning 1`,
    [task.lane],
  );
  if (woken.length > 0) await tx.query(`select pg_notify('${queueChannel}', '')`);
}

/** Leaves the task at the head of its lane, behind the other due tasks of its chain. */
export async function continueTask(tx: Tx, task: Task, payload: Record<string, unknown>): Promise<void> {
  await tx.query('update queue_tasks set run_at = clock_timestamp(), attempts = 0, payload = $2 where task_id = $1', [
    task.task_id,
    JSON.stringify(payload),
  ]);
}

export async function retryTask(db: Database, task: Task, error: string): Promise<void> {
  const seconds = 2 ** (task.attempts - 1);
  await db.query(
    `update queue_tasks set run_at = now() + make_interval(secs => $3), last_error = $4
     where task_id = $1 and claim = $2`,
    [task.task_id, task.claim, seconds, error],
  );
}

/** Dead letter: kept for the operator to look at, out of the way of its lane. */
export async function buryTask(tx: Tx, task: Task, error: string): Promise<void> {
  await tx.query(
    `insert into queue_dead (task_id, chain_id, lane, kind, payload, attempts, last_error, created_at)
     select task_id, chain_id, lane, kind, payload, attempts, $2, created_at from queue_tasks where task_id = $1`,
    [task.task_id, error],
  );
  await completeTask(tx, task);
}
