import Type, { type Static, type TObject, type TProperties } from 'typebox';
import type { Database, Db, Tx } from '../database/db.ts';
import { type ReadStored, storedJson } from '../values/stored-json.ts';
import { namedLock } from '../database/locks.ts';

/**
 * The background queue, built on one table and PostgreSQL's row locks.
 *
 * A task is a row written by the transaction that causes it (`enqueue` takes a `tx`). Its entire state is `run_at`. If
 * this time is past, the task is due. If it is in the future, the task is delayed, waiting for a retry, or leased. If
 * it is infinity, the task is waiting for the previous batch in its lane.
 *
 * Claiming moves `run_at` ahead by a short lease and increments `claim`. The task then runs inside one transaction that
 * first locks the row by its claim number. As long as that transaction is open, no other worker can claim the task
 * (claims skip locked rows), so no heartbeat is needed. If the process dies, PostgreSQL rolls back and releases the
 * lock, and the task is due again when the lease expires. The effects of a task and its completion commit together, so
 * nothing is lost and nothing is applied twice. A long job runs as many short slices. Each slice except the last
 * returns `again` with the payload for the next one.
 *
 * A lane is a serial key: its batches of tasks run one after another (most batches are a single task, and the tasks in
 * one batch run in parallel). Only the first batch in a lane has a finite `run_at`, and its last task wakes the next
 * batch. A transaction that adds tasks to a lane or removes them holds the lane's advisory lock until it commits, so
 * tasks in a lane commit in the order of their ids and no batch is left waiting forever.
 *
 * Failures and deaths are counted apart. `attempts` counts the recorded failures of a slice, and a few of them end the
 * task. `deaths` is incremented by the claim and taken back when the attempt ends in any other way, so it counts the
 * workers that died. Most of these deaths have other causes than the task, such as a new version that crashes, so they
 * must not end it. Instead, each one makes the next lease longer, so that a task that does kill its worker does so only
 * every few minutes. The random part of the lease separates this task from those that happened to run beside it.
 *
 * Chains are served round-robin: a claim uses a skip scan of the index to visit the chains that have due tasks,
 * starting after the chain that was served last. The scan needs one probe per chain, however long the chain's backlog.
 *
 * A task kind is defined once, with the schema for its payload. `enqueue` accepts no other payload, and a worker
 * validates every payload it reads. Tasks stay in the queue during an upgrade, so payload fields must keep their names.
 */
export type TaskKind<Payload> = { readonly name: string; readPayload: ReadStored<Payload> };

export function defineTask<P extends TProperties>(name: string, payload: P): TaskKind<Static<TObject<P>>> {
  return { name, readPayload: storedJson(`payload of ${name}`, Type.Object(payload)) };
}

/** A claimed task, as stored in the queue. */
export type Task = {
  task_id: string;
  chain_id: string;
  lane: string;
  kind: string;
  payload: Record<string, unknown>;
  claim: string;
  /** The number of this attempt: one more than the failures since the last slice that succeeded. */
  attempts: number;
  /** How many workers have died while running this slice. */
  deaths: number;
};

export type NewTask<Payload> = {
  chainId: string;
  lane: string;
  batch: string;
  payload: Payload;
  /**
   * The delay before the task is due. It applies only to the first batch in a lane, because every later batch waits for
   * the one before.
   */
  afterSeconds?: number;
};

export const queueChannel = 'aisle_queue';
/** 3 s at first, 6 to 8 s after one death, 3 to 12 minutes after six or more. `$4` is a random number below 100. */
const leaseSeconds = '3 * power(2 + (task_id + $4) % 100 / 200.0, least(deaths, 6))';
/** The delay before a task is tried again if the database was unavailable. */
const outageSeconds = 2;

/**
 * Locks the lanes until the transaction ends. Call this before writing the data that the tasks need. Lanes are locked
 * in sorted order, so that two transactions that lock the same lanes cannot deadlock.
 */
export async function lockLanes(tx: Tx, lanes: string[]): Promise<void> {
  const sql = `select pg_advisory_xact_lock(${namedLock('lane', 'lane')}) from unnest($1::text[]) as given (lane)`;
  await tx.query(sql, [[...new Set(lanes)].toSorted()]);
}

export async function enqueue<Payload>(
  tx: Tx,
  kind: TaskKind<Payload>,
  tasks: NewTask<NoInfer<Payload>>[],
): Promise<void> {
  const lanes = tasks.map((task) => task.lane);
  await lockLanes(tx, lanes);
  await tx.query(
    `insert into queue_tasks (chain_id, lane, batch, kind, payload, run_at)
     select t.chain_id, t.lane, t.batch, $4::text, t.payload,
       case when exists (select from queue_tasks q where q.lane = t.lane and q.batch <> t.batch) then 'infinity'
         else now() + make_interval(secs => t.after_seconds) end
     from unnest($1::uuid[], $2::text[], $3::text[], $5::jsonb[], $6::float8[]) with ordinality
       as t (chain_id, lane, batch, payload, after_seconds, position)
     order by t.position`,
    [
      tasks.map((task) => task.chainId),
      lanes,
      tasks.map((task) => task.batch),
      kind.name,
      tasks.map((task) => JSON.stringify(task.payload)),
      tasks.map((task) => task.afterSeconds ?? 0),
    ],
  );
  await tx.query(`select pg_notify('${queueChannel}', '')`);
}

/** The payloads of the tasks of this kind in the lanes. The caller must have locked the lanes. */
export async function listPayloads<Payload>(tx: Tx, kind: TaskKind<Payload>, lanes: string[]): Promise<Payload[]> {
  const rows = await tx.query<{ payload: Record<string, unknown> }>(
    'select payload from queue_tasks where lane = any ($1) and kind = $2',
    [lanes, kind.name],
  );
  return rows.map(({ payload }) => kind.readPayload(payload));
}

export type ClaimOptions = {
  count: number;
  /** The chain that was served last. */
  afterChain: string;
  /** No tasks of these chains are claimed. */
  exceptChains?: readonly string[];
};

/** Claims at most `count` due tasks, round-robin by chain, starting after `afterChain`. */
export function claimTasks(db: Db, { count, afterChain, exceptChains = [] }: ClaimOptions): Promise<Task[]> {
  return db.query(
    `with recursive chains as (
       (select chain_id, run_at from queue_tasks order by chain_id, run_at limit 1)
       union all
       select next.chain_id, next.run_at from chains, lateral (
         select t.chain_id, t.run_at from queue_tasks t where t.chain_id > chains.chain_id
         order by t.chain_id, t.run_at limit 1) next
     ), turn as (
       select chain_id, row_number() over (order by chain_id <= $2, chain_id) as position
       from chains where run_at <= now() and chain_id <> all ($3::uuid[]) order by position limit $1
     ), due as (
       select t.task_id, t.lease_end, turn.position,
         row_number() over (partition by turn.chain_id order by t.run_at, t.task_id) as round
       from turn, lateral (
         select task_id, run_at, now() + make_interval(secs => ${leaseSeconds}) as lease_end
         from queue_tasks q where q.chain_id = turn.chain_id and q.run_at <= now()
         order by q.run_at, q.task_id limit $1 for update skip locked) t
     ), chosen as materialized (
       select task_id, lease_end from due order by round, position limit $1
     )
     update queue_tasks q set run_at = chosen.lease_end, claim = claim + 1, deaths = deaths + 1
     from chosen where q.task_id = chosen.task_id
     returning q.task_id, chain_id, lane, kind, payload, claim, attempts + 1 as attempts, deaths - 1 as deaths`,
    [count, afterChain, exceptChains, Math.floor(Math.random() * 100)],
  );
}

/** Locks the task until the transaction ends. Returns false if another worker has claimed it since. */
export async function lockTask(tx: Tx, task: Task): Promise<boolean> {
  const rows = await tx.query('select 1 from queue_tasks where task_id = $1 and claim = $2 for update skip locked', [
    task.task_id,
    task.claim,
  ]);
  return rows.length === 1;
}

/** Removes a finished task. The last task in a batch wakes the next batch in the lane. */
export async function completeTask(tx: Tx, task: Task): Promise<void> {
  await lockLanes(tx, [task.lane]);
  tx.send('delete from queue_tasks where task_id = $1', [task.task_id]);
  const woken = await tx.query(
    `with next as (select batch from queue_tasks where lane = $1 order by task_id limit 1)
     update queue_tasks q set run_at = now() from next
     where q.lane = $1 and q.batch = next.batch and q.run_at = 'infinity' returning 1`,
    [task.lane],
  );
  if (woken.length > 0) await tx.query(`select pg_notify('${queueChannel}', '')`);
}

/** Keeps the task at the head of its lane, but puts it behind the other due tasks in its chain. */
export function continueTask(tx: Tx, task: Task, payload: unknown, afterMs = 0): void {
  tx.send(
    `update queue_tasks set run_at = statement_timestamp() + make_interval(secs => $3), attempts = 0, deaths = 0,
       payload = $2
     where task_id = $1`,
    [task.task_id, JSON.stringify(payload), afterMs / 1000],
  );
}

/** Makes the batch's tasks due now if they are waiting. Tasks that are running at this moment are not affected. */
export async function wakeBatch(tx: Tx, chainId: string, batch: string): Promise<void> {
  await tx.query(
    `update queue_tasks set run_at = now() where task_id in (
       select task_id from queue_tasks where chain_id = $1 and batch = $2 and run_at > now() and run_at < 'infinity'
       order by task_id for update skip locked)`,
    [chainId, batch],
  );
  await tx.query(`select pg_notify('${queueChannel}', '')`);
}

/** Counts the attempt as failed and makes the task due again after a delay. */
export async function retryTask(db: Database, task: Task, error: string): Promise<void> {
  const seconds = 2 ** (task.attempts - 1);
  await db.query(
    `update queue_tasks set run_at = now() + make_interval(secs => $3), last_error = $4, attempts = $5, deaths = $6
     where task_id = $1 and claim = $2`,
    [task.task_id, task.claim, seconds, error, task.attempts, task.deaths],
  );
}

/**
 * Makes the task due again after an attempt that failed because the database was unavailable. Such an attempt does not
 * count, even if another worker has claimed the task since.
 */
export async function returnTask(db: Database, task: Task, error: string): Promise<void> {
  await db.query(
    `update queue_tasks set deaths = greatest(deaths - 1, 0), last_error = $3,
       run_at = case when claim = $2 then retry.at else run_at end
     from (select now() + make_interval(secs => ${outageSeconds}) as at) retry
     where task_id = $1`,
    [task.task_id, task.claim, error],
  );
}

/** Moves the task to the dead-letter table, where the operator can inspect it and it does not block its lane. */
export async function deadLetterTask(tx: Tx, task: Task, error: string): Promise<void> {
  await tx.query(
    `insert into queue_dead (task_id, chain_id, lane, kind, payload, attempts, last_error, created_at)
     select task_id, chain_id, lane, kind, payload, $3, $2, created_at from queue_tasks where task_id = $1`,
    [task.task_id, error, task.attempts],
  );
  await completeTask(tx, task);
}
