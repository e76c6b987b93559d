import type { Database, Db } from '../kernel/database/db.ts';
import { locks } from '../kernel/database/locks.ts';
import type { Node, Worker } from './rules/refusals.ts';
import type { TableClass } from './tables.ts';

/** Statements can run on the pool, in a transaction, or on the connection that migrates. */
export type Connection = Pick<Db, 'query'>;

export async function findCitusVersion(db: Connection): Promise<string | undefined> {
  const rows = await db.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'citus'",
  );
  return rows[0]?.version;
}

export function listNodes(db: Connection): Promise<Node[]> {
  return db.query(
    `select nodename || ':' || nodeport as address, groupid = 0 as is_coordinator, isactive as is_active,
       shouldhaveshards as has_shards
     from pg_dist_node where noderole = 'primary' order by nodeid`,
  );
}

/** The node with the rows of each chain. */
export function listChainNodes(db: Connection): Promise<{ chain_id: string; address: string }[]> {
  return db.query(
    `with homes as materialized (
       select chain_id, get_shard_id_for_distribution_column('vendors', chain_id) as shardid from chains
     )
     select h.chain_id, n.nodename || ':' || n.nodeport as address from homes h
     join pg_dist_placement p on p.shardid = h.shardid
     join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'`,
  );
}

/** A text that changes if a table on this server has grown to 10,000, 100,000 … rows. */
export function describeSizes(db: Database): Promise<string> {
  return db.transaction(async (tx) => {
    // Otherwise, the shards are hidden.
    tx.send("select set_config('citus.override_table_visibility', 'off', true)");
    const rows = await tx.query<{ sizes: string }>(
      `select coalesce(sum(floor(log(n_live_tup / 1000))), 0)::text as sizes from pg_stat_user_tables
       where n_live_tup >= 10000`,
    );
    return rows[0]?.sizes ?? '';
  });
}

/** Whether the coordinator can connect to the node within a second. */
export async function canReachNode(db: Database, address: string): Promise<boolean> {
  const [, host, port] = /^(.*):(\d+)$/.exec(address) ?? [];
  return db.transaction(async (tx) => {
    tx.send("select set_config('citus.node_connection_timeout', '1000', true)");
    const rows = await tx.query<{ is_reachable: boolean }>(
      'select citus_check_connection_to_node($1, $2) as is_reachable',
      [host, Number(port)],
    );
    return rows[0]?.is_reachable ?? false;
  });
}

export async function isCoordinator(db: Connection): Promise<boolean> {
  const rows = await db.query<{ is_coordinator: boolean }>('select citus_is_coordinator() as is_coordinator');
  return rows[0]?.is_coordinator ?? false;
}

/** The workers, and which of these extensions each of them cannot create. */
export function checkWorkers(db: Connection, extensions: string[]): Promise<Worker[]> {
  return db.query(
    `select nodename || ':' || nodeport as address, success as "isReachable",
       case when success then coalesce(result, '') else '' end as "missingExtensions"
     from run_command_on_workers(format(
       'select string_agg(extension, '', '') from unnest(%L::text[]) as extension
        where extension not in (select name from pg_available_extensions)', $1::text[]))`,
    [extensions],
  );
}

export async function hasChains(db: Connection): Promise<boolean> {
  const rows = await db.query<{ exists: boolean }>('select exists (select from chains)');
  return rows[0]?.exists ?? false;
}

/** The tables in the schema, each with its class in the cluster. A table that the cluster does not know is local. */
export function listTables(db: Connection): Promise<{ name: string; class: TableClass }[]> {
  return db.query(
    `select c.relname as name, case when p.partmethod = 'h' then 'distributed' when p.repmodel = 't' then 'reference'
       when p.partmethod = 'n' then 'coordinator' else 'local' end as class
     from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by c.relname`,
  );
}

/** The foreign keys between tables, as pairs of names. */
export function listForeignKeys(db: Connection): Promise<{ source: string; target: string }[]> {
  return db.query(
    `select distinct conrelid::regclass::text as source, confrelid::regclass::text as target from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`,
  );
}

/** The foreign keys that are checked at the end of a transaction, with the statements that remove and restore them. */
export function listDeferredKeys(db: Connection, tables: string[]): Promise<{ drop: string; add: string }[]> {
  return db.query(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint where contype = 'f' and condeferred and conrelid = any($1::text[]::regclass[])
     order by conname`,
    [tables],
  );
}

/** Executes a statement of `listDeferredKeys`. */
export async function changeKey(db: Connection, statement: string): Promise<void> {
  await db.query(statement);
}

/**
 * Settings for the transaction. Statements that change the schema run on one node after the other, because a node
 * cannot see what another connection to it has not committed. Tables that refer to `chains` stay as they are until they
 * get their own class.
 */
export async function prepareTransaction(db: Connection): Promise<void> {
  await db.query("select set_config('citus.multi_shard_modify_mode', 'sequential', true)");
  await db.query("select set_config('citus.enable_local_reference_table_foreign_keys', 'off', true)");
}

/** Only one process migrates or distributes at a time. */
export async function lockMigrations(db: Connection): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(${locks.migration})`);
}

/** Creates what the indexes need on every node. */
export async function distributeFunctions(db: Connection): Promise<void> {
  await db.query("select create_distributed_function('barcode_words(text[])')");
}

export async function createReferenceTable(db: Connection, table: string): Promise<void> {
  await db.query('select create_reference_table($1::text::regclass)', [table]);
}

export async function createDistributedTable(db: Connection, table: string, together: string): Promise<void> {
  await db.query("select create_distributed_table($1::text::regclass, 'chain_id', colocate_with => $2)", [
    table,
    together,
  ]);
}

/** Also adds the tables that are connected with it by foreign keys, so it may have been added already. */
export async function addLocalTable(db: Connection, table: string): Promise<void> {
  await db.query(
    `select citus_add_local_table_to_metadata($1::text::regclass, cascade_via_foreign_keys => true)
     where not exists (select from pg_dist_partition where logicalrelid = $1::text::regclass)`,
    [table],
  );
}

/** Tables that were distributed with their rows, and whose old copies are still on the coordinator. */
export async function listOldCopies(db: Connection): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select logicalrelid::text as name from pg_dist_partition
     where (partmethod = 'h' or repmodel = 't') and pg_relation_size(logicalrelid) > 0 order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** No statement sees the old copies of the rows. */
export async function deleteOldCopies(db: Connection, table: string): Promise<void> {
  await db.query('select truncate_local_data_after_distributing_table($1::text::regclass)', [table]);
}

export type NodeUse = { address: string; shards: number; bytes: string; chains: number };

export function listNodeUse(db: Connection): Promise<NodeUse[]> {
  return db.query(
    `with placed as (
       select nodename || ':' || nodeport as address, shardid, shard_size, table_name from citus_shards
       where citus_table_type = 'distributed'
     ), homes as (
       select get_shard_id_for_distribution_column('vendors', chain_id) as shardid from chains
     )
     select p.address, count(*)::int as shards, sum(p.shard_size)::text as bytes,
       (select count(*)::int from homes join placed h using (shardid) where h.address = p.address) as chains
     from placed p group by p.address order by p.address`,
  );
}

/** Transactions that a node has prepared, but that have been neither committed nor rolled back. */
export function listInDoubt(db: Connection): Promise<{ address: string; count: number }[]> {
  return db.query(
    `select n.nodename || ':' || n.nodeport as address,
       case when r.success then r.result::int else -1 end as count
     from run_command_on_all_nodes(
       $$select count(*) from pg_prepared_xacts where prepared < now() - interval '1 minute'
         and database = current_database()$$) r
     join pg_dist_node n using (nodeid) order by n.nodeid`,
  );
}

/** Returns the number of groups of shards that were moved. */
export async function rebalance(db: Connection): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select count(*)::int as count from get_rebalance_table_shards_plan('vendors')
     where table_name = 'vendors'::regclass`,
  );
  await db.query("select rebalance_table_shards('vendors', shard_transfer_mode => 'auto')");
  return rows[0]?.count ?? 0;
}

export type Place = { shard: string; address: string; is_alone: boolean };

/** The node with the chain's rows, their shard in `vendors`, and whether that contains no other chain. */
export async function findPlace(db: Connection, chainId: string): Promise<Place | undefined> {
  const rows = await db.query<Place>(
    `with home as materialized (
       select get_shard_id_for_distribution_column('vendors', chain_id) as shardid from chains where chain_id = $1
     )
     select h.shardid::text as shard, n.nodename || ':' || n.nodeport as address,
       s.shardminvalue = s.shardmaxvalue as is_alone
     from home h join pg_dist_shard s on s.shardid = h.shardid join pg_dist_placement p on p.shardid = h.shardid
     join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'`,
    [chainId],
  );
  return rows[0];
}

/**
 * Gives the chain shards of its own, and returns the one in `vendors`. Changes of rows are replicated to the new shards
 * meanwhile, or wait until the end if `blocksWrites` is set.
 */
export async function isolateChain(db: Connection, chainId: string, blocksWrites: boolean): Promise<string> {
  const rows = await db.query<{ shard: string }>(
    `select isolate_tenant_to_new_shard('vendors', $1::uuid, 'CASCADE', shard_transfer_mode => $2)::text as shard`,
    [chainId, blocksWrites ? 'block_writes' : 'auto'],
  );
  return rows[0]?.shard ?? '';
}

/** How often the replication of splits has failed. Citus does not notice it, and waits for two hours. */
export async function countSplitErrors(db: Connection): Promise<number> {
  const rows = await db.query<{ count: number }>(
    `select coalesce(sum(result::bigint) filter (where success), 0)::int as count
     from run_command_on_all_nodes($$
       select coalesce(sum(t.apply_error_count), 0) from pg_stat_subscription_stats t
       join pg_subscription s on s.oid = t.subid
       where s.subname like 'citus_shard_split_%'
         and s.subdbid = (select oid from pg_database where datname = current_database())
     $$)`,
  );
  return rows[0]?.count ?? 0;
}

/** Cancels the statement of `isolateChain`. Citus then removes what it has created. */
export async function cancelSplit(db: Connection): Promise<void> {
  await db.query(
    `select pg_cancel_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query like 'select isolate_tenant_to_new_shard%'`,
  );
}

/** Moves the shard, and those of the other tables with the same chains. */
export async function moveShard(db: Connection, shard: string, nodes: { from: string; to: string }): Promise<void> {
  const addressOf = (address: string) => [address.replace(/:\d+$/, ''), Number(address.split(':').at(-1))];
  await db.query("select citus_move_shard_placement($1::bigint, $2, $3, $4, $5, shard_transfer_mode => 'auto')", [
    shard,
    ...addressOf(nodes.from),
    ...addressOf(nodes.to),
  ]);
}
