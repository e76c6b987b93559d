import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Database, DatabaseOptions } from './database.ts';
import { createAnnouncer } from './announce.ts';
import { Failure } from '../failures/failure.ts';
import { translateErrors } from './errors.ts';
import { createJoiner } from './joined.ts';
import { openPool, openTaskPool } from './pool.ts';
import { renewPlans } from './plans.ts';
import { createReplica } from './replica.ts';
import { openReserved } from './reserved.ts';
import { createShares } from './shares.ts';
import { createLocator, type Locator, urlOfNode } from './servers.ts';
import { setLocal } from './set-local.ts';
import { type ConnectedClient, runOnPool, type Wire } from './statement.ts';
import type { Db, Tx } from './tx.ts';
import { inTransaction, type Notifications, retryConflicts } from './transaction.ts';

export type { Database, DatabaseOptions } from './database.ts';
export type { Db, QueryOptions, Tx } from './tx.ts';

type Variants = Pick<Database, 'withoutTimeout' | 'withIdleLimit' | 'forTasks'>;
type Variant = Omit<Database, keyof Variants>;

/** What a connection to a node of a distributed database shares with the coordinator's. */
type Coordinator = { notifications: Notifications; onNodeFailure(error: unknown): void };

export function openDatabase(options: DatabaseOptions, coordinator?: Coordinator): Database {
  const open = new Set<pg.PoolClient>();
  const locator = createLocator(options.url);
  const pool = openPool(options, options.connections, open, locator);
  const forgetPlans = renewPlans(pool);
  const tasks = openTaskPool(options, open, locator) ?? pool;
  const settings = options.isPooled ? [transactionSettings(options)] : [];
  const replicaDb = openReplicaOf(options);
  const wire = wireOf(options, settings[0], coordinator !== undefined);
  const reserve = openReserved(options, open, locator, wire);
  const pools = [...new Set([pool, tasks, ...reserve.pools])];
  let isGone = false;
  const ifPresent = <Result>(work: () => Promise<Result>) => {
    if (!isGone) return work();
    throw new Failure('service_unavailable', 'The database has stopped.', { headers: { 'retry-after': '5' } });
  };
  const { run: runSlow } = createShares(options.slowReadsPerChain ?? 2, options.lockSeconds ?? 5);
  const { onNotified, ...own } = createNotifications(pool, wire);
  const notifications = coordinator?.notifications ?? own;
  const nodes = createNodes(options, coordinator);
  const translated = <Result>(work: () => Promise<Result>) => translateErrors(work, nodes.onFailure);
  const reserved: Db = {
    query: (...statement) => translated(() => ifPresent(() => reserve.reserved.query(...statement))),
  };
  const replica = replicaDb && createReplica(reserved, replicaDb, (error) => options.onError(nameReplica(error)));
  const background = { ...wire, deadlineMs: deadlineMs(maxTaskStatementSeconds) };
  const database = (begin: readonly string[], wire: Wire, isLimited: boolean, pool: pg.Pool): Variant => {
    const runSingle = createJoiner(pool, wire);
    return {
      pool,
      watchNodes: nodes.watch,
      openNode: (address) =>
        openDatabase(
          { ...options, url: urlOfNode(options.url, address), isPooled: false, directUrl: null, replicaUrl: null },
          { notifications, onNodeFailure: nodes.onFailure },
        ),
      forgetPlans,
      onNotified,
      query: (text, values, options) => translated(() => ifPresent(() => runSingle(text, values, options))),
      transaction: (work) => {
        const first = isLimited ? [...begin, ...nodes.limits] : begin;
        const { isDistributed } = nodes;
        const attempt = () => inTransaction({ pool, wire, notifications, isDistributed, begin: first }, work);
        return translated(() => retryConflicts(() => ifPresent(attempt), wire, options.tries));
      },
      runSlow: isLimited ? runSlow : (_chainId, read) => read(),
      reserved,
      replica,
      abandon() {
        isGone = true;
      },
      close: async () => void (await Promise.all([close(pools, open, reserve.locators), replicaDb?.close()])),
    };
  };
  const variants = {
    withoutTimeout: database(['begin', ...settings, withoutLimits()], background, false, pool),
    withIdleLimit: database(['begin', ...settings, withoutLimits(maxIdleSeconds)], background, false, pool),
    forTasks: database(['begin', ...settings, withoutLimits()], background, false, tasks),
  } as Variants;
  for (const variant of Object.values(variants)) Object.assign(variant, variants);
  return { ...database(['begin', ...settings], wire, true, pool), ...variants };
}

function createNotifications(pool: pg.Pool, wire: Wire): Notifications & Pick<Database, 'onNotified'> {
  const handlers = new Map<string, (() => void)[]>();
  return {
    announce: createAnnouncer((channel, payload) =>
      runOnPool(pool, wire, 'select pg_notify($1, $2)', [channel, payload]),
    ),
    runHandlers: (channel) => handlers.get(channel)?.forEach((handler) => handler()),
    onNotified: (channel, handler) => void handlers.set(channel, [...(handlers.get(channel) ?? []), handler]),
  };
}

function wireOf(options: DatabaseOptions, settings: string | undefined, isNode: boolean): Wire {
  return {
    named: options.preparedStatements,
    deadlineMs: deadlineMs(options.statementSeconds),
    isPooled: options.isPooled ?? false,
    settings,
    isNode,
  };
}

/** What is known about the nodes of a distributed database. */
function createNodes(options: DatabaseOptions, coordinator: Coordinator | undefined) {
  const handlers: ((error: unknown) => void)[] = [];
  const nodes = {
    isDistributed: coordinator !== undefined,
    limits: [] as readonly string[],
    onFailure: coordinator?.onNodeFailure ?? ((error: unknown) => handlers.forEach((handler) => handler(error))),
    watch(onFailure: (error: unknown) => void) {
      nodes.isDistributed = true;
      nodes.limits = nodeSettings(options);
      handlers.push(onFailure);
    },
  };
  return nodes;
}

/** If the replica fails, the primary is used at once. */
function openReplicaOf({ replicaUrl, ...options }: DatabaseOptions): Database | undefined {
  if (!replicaUrl) return undefined;
  return openDatabase({ ...options, url: replicaUrl, directUrl: null, tries: 1, name: `${options.name} replica` });
}

function nameReplica(error: Error): Error {
  const { message } = (error.cause ?? error) as Error;
  return new Error(`DATABASE_REPLICA_URL: ${message}`, { cause: error });
}

/** Statements in the background have no timeout in PostgreSQL, but none takes this long. */
const maxTaskStatementSeconds = 600;

/** PostgreSQL cancels a statement first. If it does not respond at all, the connection is given up. */
function deadlineMs(statementSeconds: number | undefined): number | undefined {
  return statementSeconds === undefined ? undefined : (statementSeconds + 5) * 1000;
}

/** For the first statements of a transaction in the background. If its process is frozen, its locks are held this long. */
function withoutLimits(idleSeconds = 30): string {
  return `select set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true), ${idleLimit(idleSeconds)}`;
}

export const beginWithoutTimeout = `begin; ${withoutLimits()}`;

/** The same as on a connection of our own (`pool.ts`), except for the limits on connections, which belong to the pooler. */
function transactionSettings({ statementSeconds, lockSeconds }: DatabaseOptions): string {
  const values = {
    jit: 'off',
    ...(statementSeconds !== undefined && { statement_timeout: `${statementSeconds}s` }),
    ...(lockSeconds !== undefined && { lock_timeout: `${lockSeconds}s` }),
    idle_in_transaction_session_timeout: '60s',
  };
  const each = Object.entries(values).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return `select ${each.join(', ')}`;
}

function nodeSettings({ lockSeconds }: DatabaseOptions): string[] {
  return lockSeconds === undefined ? [] : setLocal('lock_timeout', `${lockSeconds}s`);
}

/**
 * `pool.end()` waits for connections in use, however long, but not for the sockets to close, so a database server that
 * is stopped next could still reset them. This function waits up to two seconds for the pool and two for the sockets.
 */
async function close(pools: pg.Pool[], open: Set<pg.PoolClient>, locators: Locator[]): Promise<void> {
  for (const locator of locators) locator.close();
  const deadline = () => sleep(2000, undefined, { ref: false });
  await Promise.race([Promise.all(pools.map((pool) => pool.end())), deadline()]);
  const ends = [...open].map((client) => new Promise((resolve) => client.once('end', resolve)));
  await Promise.race([Promise.all(ends), deadline()]);
  for (const client of open) (client as ConnectedClient).connection.stream.destroy();
}

/**
 * Runs `work` in a savepoint, so that a failure rolls back only the changes in `work` and the transaction can continue.
 */
export async function savepoint<Result>(tx: Tx, work: () => Promise<Result>): Promise<Result> {
  tx.send('savepoint inner_work');
  try {
    const result = await work();
    await tx.query('release savepoint inner_work');
    return result;
  } catch (error) {
    // There is no savepoint if a statement before it has failed. Then this fails too, and so does the transaction.
    await tx.query('rollback to savepoint inner_work').catch(() => {});
    throw error;
  }
}

/** Sets the timeout for the remaining statements in the transaction. */
export function limitStatements(tx: Tx, seconds: number): void {
  tx.send("select set_config('statement_timeout', $1, true)", [`${seconds}s`]);
}

/**
 * Ends the transaction if the process does not send a statement for this long. For transactions that hold a lock for
 * which all chains wait. To be used in a statement, before the lock is taken.
 */
export function idleLimit(seconds = maxIdleSeconds): string {
  return `set_config('idle_in_transaction_session_timeout', '${seconds}s', true)`;
}

const maxIdleSeconds = 10;

/** Makes the transaction commit without waiting for the disk. Use this only for work that is repeated after a crash. */
export function skipFlush(tx: Tx): void {
  tx.send('set local synchronous_commit = off');
}
