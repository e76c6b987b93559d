import type { Db, Tx } from '../kernel/database/db.ts';
import { namedLock } from '../kernel/database/locks.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import { nilId } from '../kernel/values/ids.ts';

export type ChainRow = {
  chain_id: string;
  name: string;
  profile: 'strict' | 'tolerant';
  country_code: string | null;
  record_bodies: boolean;
  require_second_factor_for_owners: boolean;
  created_at: Date;
};

/** The columns are listed, so that an older version keeps working when a migration adds one. */
const chainFields = `chain_id, name, profile, country_code, record_bodies, created_at,
  exists (select from required_second_factors r where r.chain_id = chains.chain_id) as require_second_factor_for_owners`;

export type VendorRow = {
  chain_id: string;
  vendor_id: string;
  external_id: string | null;
  name: string;
  currency: string;
  country_code: string;
  locale: string;
  timezone: string;
  transport_type: 'LOGISTICS_DELIVERY' | 'VENDOR_DELIVERY';
  sales_buffer: number;
  unit_overpick: number;
  weight_tolerance: string;
  weighted_replacement: boolean;
  integration_type: 'PICKING' | null;
  integration_enabled: boolean;
  test: boolean;
  created_at: Date;
};

/** The vendor columns that INSERT and UPDATE set. */
export const vendorColumns = [
  'external_id',
  'name',
  'currency',
  'country_code',
  'locale',
  'timezone',
  'transport_type',
  'sales_buffer',
  'unit_overpick',
  'weight_tolerance',
  'weighted_replacement',
  'integration_type',
  'integration_enabled',
  'test',
] as const;
export type VendorChange = Partial<Record<(typeof vendorColumns)[number], unknown>>;

export const identityChannel = 'aisle_identity';

/**
 * Runs a statement that changes or deletes a chain, a vendor, a credential, a user or a session. These rows are cached
 * (`lookups.ts`), so this also clears the caches in all processes when the transaction commits.
 */
export async function changeRows<Row>(tx: Tx, text: string, values: readonly unknown[]): Promise<Row[]> {
  const rows = await tx.query<Row>(text, values);
  tx.notify(identityChannel);
  return rows;
}

export async function findChain(db: Db, chainId: string): Promise<ChainRow | undefined> {
  const rows = await db.query<ChainRow>(`select ${chainFields} from chains where chain_id = $1`, [chainId]);
  return rows[0];
}

/** The ids that end with these four digits (see `newIdIn`). */
export async function listChainsEndingIn(db: Db, end: string): Promise<string[]> {
  const rows = await db.query<{ chain_id: string }>('select chain_id from chains where right(chain_id::text, 4) = $1', [
    end,
  ]);
  return rows.map(({ chain_id }) => chain_id);
}

/** The ids of all chains, or of those that were created after a time. */
export async function listChainIds(db: Db, after: Date | '-infinity' = '-infinity'): Promise<string[]> {
  const sql = 'select chain_id from chains where chain_id <> $1 and created_at > $2';
  return (await db.query<{ chain_id: string }>(sql, [nilId, after])).map(({ chain_id }) => chain_id);
}

/**
 * Until the transaction ends, no other one can lock the chain. The row is not locked, because a distributed database has
 * a copy of it on every node.
 */
export async function lockChain(tx: Tx, chainId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${namedLock('chain')})`, [chainId]);
}

/**
 * Takes a named lock where the rows of the chain are: on a distributed database, transactions can begin on several nodes,
 * and a lock on one of them does not exclude one on another. The vendor must exist.
 */
export function lockInChain(
  tx: Tx,
  chainId: string,
  vendorId: string,
  kind: Parameters<typeof namedLock>[0],
  name: string,
): void {
  tx.send(
    `select pg_advisory_xact_lock(${namedLock(kind, '$3')}) from vendors where chain_id = $1 and vendor_id = $2`,
    [chainId, vendorId, name],
  );
}

export async function insertChain(
  tx: Tx,
  chainId: string,
  chain: { name: string; profile: string; country_code: string | null },
): Promise<ChainRow> {
  tx.send('insert into chains (chain_id, name, profile, country_code) values ($1, $2, $3, $4)', [
    chainId,
    chain.name,
    chain.profile,
    chain.country_code,
  ]);
  return (await findChain(tx, chainId)) as ChainRow;
}

/** Its name is shown in authenticator apps. */
export async function insertPlatform(tx: Tx): Promise<void> {
  await tx.query("insert into chains (chain_id, name) values ($1, 'Console') on conflict do nothing", [nilId]);
}

export type ChainChanges = {
  name?: string;
  profile?: string;
  country_code?: string | null;
  record_bodies?: boolean;
};

export async function updateChain(tx: Tx, chainId: string, changes: ChainChanges): Promise<ChainRow> {
  const changing = changeRows(
    tx,
    `update chains set name = coalesce($2, name), profile = coalesce($3, profile),
       country_code = case when $4 then $5 else country_code end, record_bodies = coalesce($6, record_bodies)
     where chain_id = $1`,
    [
      chainId,
      changes.name,
      changes.profile,
      changes.country_code !== undefined,
      changes.country_code,
      changes.record_bodies,
    ],
  );
  const [chain] = await Promise.all([findChain(tx, chainId), changing]);
  return chain as ChainRow;
}

export async function requireSecondFactor(tx: Tx, chainId: string): Promise<void> {
  await tx.query('insert into required_second_factors (chain_id) values ($1) on conflict do nothing', [chainId]);
}

export async function stopRequiringSecondFactor(tx: Tx, chainId: string): Promise<void> {
  await tx.query('delete from required_second_factors where chain_id = $1', [chainId]);
}

export function listChains(db: Db, page: PageRequest): Promise<(ChainRow & { total: number })[]> {
  return db.query(
    `select ${chainFields}, count(*) over ()::int as total from chains where chain_id <> $3
     order by created_at desc, chain_id desc limit $1 offset $2`,
    [page.pageSize, page.offset, nilId],
  );
}

export async function countChains(db: Db): Promise<number> {
  const rows = await db.query<{ count: number }>('select count(*)::int as count from chains where chain_id <> $1', [
    nilId,
  ]);
  return rows[0]?.count ?? 0;
}

/** Finds a vendor by platform id or external id. The platform id takes precedence. */
export async function findVendor(db: Db, chainId: string, id: string): Promise<VendorRow | undefined> {
  const rows = await db.query<VendorRow>(
    'select * from vendors where chain_id = $1 and (vendor_id = $2 or external_id = $2) order by vendor_id = $2 desc limit 1',
    [chainId, id],
  );
  return rows[0];
}

/**
 * The locks are held until the transaction ends. Rows that refer to the vendors can still be inserted. They are taken in
 * a fixed order, so that two requests for the same vendors cannot deadlock.
 */
export async function lockVendors(tx: Tx, chainId: string, vendorIds: readonly string[]): Promise<void> {
  await tx.query(
    'select 1 from vendors where chain_id = $1 and vendor_id = any ($2) order by vendor_id for no key update',
    [chainId, vendorIds],
  );
}

/** The vendors in the chain that have these ids, each with the id it was requested by. */
export function findVendors(
  db: Db,
  chainId: string,
  ids: readonly string[],
): Promise<(VendorRow & { requested_id: string })[]> {
  return db.query(
    `select distinct on (requested_id) v.*, requested_id from unnest($2::text[]) as requested_id
     join vendors v on v.chain_id = $1 and (v.vendor_id = requested_id or v.external_id = requested_id)
     order by requested_id, v.vendor_id = requested_id desc`,
    [chainId, ids],
  );
}

export function listAllVendors(db: Db, chainId: string): Promise<VendorRow[]> {
  return db.query('select * from vendors where chain_id = $1 order by vendor_id', [chainId]);
}

/** If `only` is null, lists all vendors. */
export function listVendors(
  db: Db,
  chainId: string,
  only: string[] | null,
  page: PageRequest,
): Promise<(VendorRow & { total: number })[]> {
  return db.query(
    `select *, count(*) over ()::int as total from vendors
     where chain_id = $1 and ($2::text[] is null or vendor_id = any ($2))
     order by vendor_id limit $3 offset $4`,
    [chainId, only, page.pageSize, page.offset],
  );
}

export async function countVendors(db: Db, chainId: string, only: string[] | null): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select count(*)::int as count from vendors where chain_id = $1 and ($2::text[] is null or vendor_id = any ($2))',
    [chainId, only],
  );
  return rows[0]?.count ?? 0;
}

/** Whether a vendor other than `except` already has this id, as its platform id or external id. */
export async function isVendorIdTaken(tx: Tx, chainId: string, id: string, except: string): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from vendors where chain_id = $1 and (vendor_id = $2 or external_id = $2) and vendor_id <> $3',
    [chainId, id, except],
  );
  return rows.length > 0;
}

/** Those of these names that vendors of the chain have. */
export async function listVendorNames(tx: Tx, chainId: string, names: string[]): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    'select distinct name from vendors where chain_id = $1 and name = any ($2)',
    [chainId, names],
  );
  return rows.map(({ name }) => name);
}

export async function insertVendor(
  tx: Tx,
  chainId: string,
  vendorId: string,
  vendor: VendorChange,
): Promise<VendorRow> {
  const given = vendorColumns.filter((column) => vendor[column] !== undefined);
  const places = given.map((_, index) => `$${index + 3}`);
  const rows = await tx.query<VendorRow>(
    `insert into vendors (chain_id, vendor_id, ${given.join(', ')}) values ($1, $2, ${places.join(', ')}) returning *`,
    [chainId, vendorId, ...given.map((column) => vendor[column])],
  );
  return rows[0] as VendorRow;
}

export async function updateVendor(
  tx: Tx,
  chainId: string,
  vendorId: string,
  changes: VendorChange,
): Promise<VendorRow> {
  const given = vendorColumns.filter((column) => changes[column] !== undefined);
  const sets = given.map((column, index) => `${column} = $${index + 3}`);
  const rows = await changeRows<VendorRow>(
    tx,
    `update vendors set ${['vendor_id = vendor_id', ...sets].join(', ')} where chain_id = $1 and vendor_id = $2 returning *`,
    [chainId, vendorId, ...given.map((column) => changes[column])],
  );
  return rows[0] as VendorRow;
}

export async function areAllTestVendors(tx: Tx, chainId: string, only: string[] | null): Promise<boolean> {
  const rows = await tx.query<{ all_test: boolean }>(
    `select coalesce(bool_and(test), false) as all_test from vendors
     where chain_id = $1 and ($2::text[] is null or vendor_id = any ($2))`,
    [chainId, only],
  );
  return rows[0]?.all_test ?? false;
}
