import type { Database, Db } from '../kernel/database/db.ts';
import { OperatorError } from '../kernel/failures/operator-error.ts';
import {
  addLocalTable,
  changeKey,
  checkWorkers,
  type Connection,
  createDistributedTable,
  createReferenceTable,
  deleteOldCopies,
  distributeFunctions,
  findCitusVersion,
  hasChains,
  isCoordinator,
  listDeferredKeys,
  listForeignKeys,
  listNodes,
  listOldCopies,
  listTables,
  lockMigrations,
  prepareTransaction,
} from './queries.ts';
import { refuseCluster, refuseNodes, refuseVersion } from './rules/refusals.ts';
import { sortByReferences } from './rules/table-order.ts';
import { type TableClass, tableClasses } from './tables.ts';

/** The database cannot be distributed. The message says what to do. */
export class ClusterError extends OperatorError {}

/** The extensions that indexes use, which every node must be able to create. */
const extensions = ['btree_gin', 'pg_trgm'];
/** All distributed tables are stored together with this one, so that the rows of a chain are on the same node. */
const firstTable = 'vendors';

/**
 * Distributes the tables of a migrated database over the nodes of a Citus cluster, in one transaction. Can be repeated:
 * tables that have their class already are skipped. Returns the tables that were changed. Copying the data can take
 * long, so `db` must have no timeout.
 */
export async function distribute(db: Database, options: { withData: boolean }): Promise<string[]> {
  await checkWholeCluster(db);
  if (!(await isDistributed(db)) && !options.withData && (await hasChains(db))) {
    throw new ClusterError(
      'The database has data. Make a backup, stop all other processes, then run "npm start -- distribute --with-data".',
    );
  }
  const changed = await db.transaction(async (tx) => {
    await lockMigrations(tx);
    await prepareTransaction(tx);
    await distributeFunctions(tx);
    return placeTables(tx);
  });
  // Also those that an earlier run has not deleted, because it was interrupted.
  for (const name of await listOldCopies(db)) await deleteOldCopies(db, name);
  return changed.map(({ name }) => name);
}

/** Whether the tables have been distributed. False on a PostgreSQL without Citus. */
export async function isDistributed(db: Connection): Promise<boolean> {
  if ((await findCitusVersion(db)) === undefined) return false;
  return (await listTables(db)).some((table) => table.name === firstTable && table.class === 'distributed');
}

/** Gives each table that the cluster does not know its class. For migrations that create tables. */
export async function placeTables(db: Connection): Promise<{ name: string; goal: TableClass }[]> {
  const misplaced = await listMisplacedTables(db);
  const wrong = misplaced.find((table) => table.class !== 'local');
  if (wrong) {
    throw new ClusterError(
      `The table ${wrong.name} is ${wrong.class} but must be ${wrong.goal}; change it with Citus's undistribute_table first.`,
    );
  }
  const references = await listForeignKeys(db);
  // Foreign keys to reference tables are possible only if those are placed first.
  const placed = (['reference', 'distributed', 'coordinator'] as const).flatMap((goal) => {
    const names = misplaced.filter((table) => table.goal === goal).map(({ name }) => name);
    return sortByReferences(names, references, firstTable).map((name) => ({ name, goal }));
  });
  // Rows that are copied would still have to be checked, and Citus cannot change such a table again.
  const tables = placed.filter(({ goal }) => goal === 'distributed').map(({ name }) => name);
  const keys = await listDeferredKeys(db, tables);
  for (const { drop } of keys) await changeKey(db, drop);
  for (const { name, goal } of placed) {
    if (goal === 'reference') await createReferenceTable(db, name);
    else if (goal === 'coordinator') await addLocalTable(db, name);
    else await createDistributedTable(db, name, name === firstTable ? 'none' : firstTable);
  }
  for (const { add } of keys) await changeKey(db, add);
  return placed;
}

/** Tables whose class in the cluster is not the one in `tables.ts`. Unknown tables are not listed. */
export async function listMisplacedTables(db: Connection) {
  return (await listTables(db)).flatMap((table) => {
    const goal = tableClasses.get(table.name);
    return goal === undefined || goal === 'sequence' || goal === table.class ? [] : [{ ...table, goal }];
  });
}

/** Rejects a database that is not the coordinator of a cluster. */
export async function checkCluster(db: Db): Promise<void> {
  refuse(refuseVersion(await findCitusVersion(db)));
  refuse(refuseCluster({ isCoordinator: await isCoordinator(db), nodes: await listNodes(db) }));
}

/** Also rejects a cluster with nodes that cannot be used at the moment. */
export async function checkWholeCluster(db: Db): Promise<void> {
  await checkCluster(db);
  refuse(refuseNodes(await listNodes(db), await checkWorkers(db, extensions)));
}

/** Rejects a cluster on which the tables are not distributed yet. */
export async function checkDistributed(db: Database): Promise<void> {
  await checkWholeCluster(db);
  if (!(await isDistributed(db)))
    throw new ClusterError('The tables are not distributed: run "npm start -- distribute".');
}

function refuse(reason: string | undefined): void {
  if (reason !== undefined) throw new ClusterError(reason);
}
