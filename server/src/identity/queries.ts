import type { Db, Tx } from '../kernel/db.ts';
import type { PageRequest } from '../kernel/page.ts';

export type ChainRow = {
  chain_id: string;
  name: string;
  profile: 'strict' | 'tolerant';
  country_code: string | null;
  created_at: Date;
};

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

/** The changeable columns of a vendor, as data for INSERT and UPDATE. */
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

export type TokenRow = {
  chain_id: string;
  token_id: string;
  prefix: string;
  name: string;
  scopes: string[];
  vendor_ids: string[] | null;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
};

export type ClientRow = {
  chain_id: string;
  client_id: string;
  name: string;
  scopes: string[];
  created_at: Date;
  last_used_at: Date | null;
};

export type CredentialRow = {
  kind: 'token' | 'client' | 'platform';
  id: string;
  chain_id: string | null;
  token_hash: Buffer;
  scopes: string[];
  vendor_ids: string[] | null;
  expires_at: Date | null;
};

const tokenFields = 'chain_id, token_id, prefix, name, scopes, vendor_ids, created_at, expires_at, last_used_at';
const clientFields = 'chain_id, client_id, name, scopes, created_at, last_used_at';
const liveToken = 'revoked_at is null and (expires_at is null or expires_at > now())';

export async function findChain(db: Db, chainId: string): Promise<ChainRow | undefined> {
  const rows = await db.query<ChainRow>('select * from chains where chain_id = $1', [chainId]);
  return rows[0];
}

export async function lockChain(tx: Tx, chainId: string): Promise<void> {
  await tx.query('select 1 from chains where chain_id = $1 for update', [chainId]);
}

export async function insertChain(
  tx: Tx,
  chainId: string,
  chain: { name: string; profile: string; country_code: string | null },
): Promise<ChainRow> {
  const rows = await tx.query<ChainRow>(
    'insert into chains (chain_id, name, profile, country_code) values ($1, $2, $3, $4) returning *',
    [chainId, chain.name, chain.profile, chain.country_code],
  );
  return rows[0] as ChainRow;
}

export async function updateChain(
  tx: Tx,
  chainId: string,
  change: { name?: string; profile?: string; country_code?: string | null },
): Promise<ChainRow> {
  const rows = await tx.query<ChainRow>(
    `update chains set name = coalesce($2, name), profile = coalesce($3, profile),
       country_code = case when $4 then $5 else country_code end
     where chain_id = $1 returning *`,
    [chainId, change.name, change.profile, change.country_code !== undefined, change.country_code],
  );
  return rows[0] as ChainRow;
}

export function listChains(db: Db, page: PageRequest): Promise<(ChainRow & { total: number })[]> {
  return db.query(
    `select *, count(*) over ()::int as total from chains order by created_at desc, chain_id desc limit $1 offset $2`,
    [page.pageSize, page.offset],
  );
}

export async function countChains(db: Db): Promise<number> {
  const rows = await db.query<{ count: number }>('select count(*)::int as count from chains');
  return rows[0]?.count ?? 0;
}

/** By platform id or external id; the platform id wins. */
export async function findVendor(db: Db, chainId: string, id: string): Promise<VendorRow | undefined> {
  const rows = await db.query<VendorRow>(
    'select * from vendors where chain_id = $1 and (vendor_id = $2 or external_id = $2) order by vendor_id = $2 desc limit 1',
    [chainId, id],
  );
  return rows[0];
}

/** The vendors of the chain that answer to these ids, each with the id it was asked by. */
export function findVendors(db: Db, chainId: string, ids: string[]): Promise<(VendorRow & { asked: string })[]> {
  return db.query(
    `select distinct on (asked) v.*, asked from unnest($2::text[]) as asked
     join vendors v on v.chain_id = $1 and (v.vendor_id = asked or v.external_id = asked)
     order by asked, v.vendor_id = asked desc`,
    [chainId, ids],
  );
}

export function listAllVendors(db: Db, chainId: string): Promise<VendorRow[]> {
  return db.query('select * from vendors where chain_id = $1 order by vendor_id', [chainId]);
}

/** `only` null: all vendors. */
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

/** Whether `id` already names a vendor other than `except`, under either kind of id. */
export async function isVendorIdTaken(tx: Tx, chainId: string, id: string, except: string): Promise<boolean> {
  const rows = await tx.query(
    'select 1 from vendors where chain_id = $1 and (vendor_id = $2 or external_id = $2) and vendor_id <> $3',
    [chainId, id, except],
  );
  return rows.length > 0;
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
  change: VendorChange,
): Promise<VendorRow> {
  const given = vendorColumns.filter((column) => change[column] !== undefined);
  const sets = given.map((column, index) => `${column} = $${index + 3}`);
  const rows = await tx.query<VendorRow>(
    `update vendors set ${['vendor_id = vendor_id', ...sets].join(', ')} where chain_id = $1 and vendor_id = $2 returning *`,
    [chainId, vendorId, ...given.map((column) => change[column])],
  );
  return rows[0] as VendorRow;
}

export async function areAllVendorsTest(tx: Tx, chainId: string, only: string[] | null): Promise<boolean> {
  const rows = await tx.query<{ all_test: boolean }>(
    `select coalesce(bool_and(test), false) as all_test from vendors
     where chain_id = $1 and ($2::text[] is null or vendor_id = any ($2))`,
    [chainId, only],
  );
  return rows[0]?.all_test ?? false;
}

/** Whatever is presented as a bearer token: an API token, a client's access token or a platform token. */
export async function findCredential(db: Db, hash: Buffer): Promise<CredentialRow | undefined> {
  const rows = await db.query<CredentialRow>(
    `select 'token' as kind, token_id::text as id, chain_id, token_hash, scopes, vendor_ids, expires_at
     from api_tokens where token_hash = $1 and revoked_at is null
     union all
     select 'client', c.client_id, c.chain_id, a.token_hash, c.scopes, null, a.expires_at
     from access_tokens a join clients c on c.chain_id = a.chain_id and c.client_id = a.client_id where a.token_hash = $1
     union all
     select 'platform', encode(token_hash, 'hex'), null, token_hash, '{}', null, null
     from platform_tokens where token_hash = $1`,
    [hash],
  );
  return rows[0];
}

export async function countLiveTokens(tx: Tx, chainId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `select count(*)::int as count from api_tokens where chain_id = $1 and ${liveToken}`,
    [chainId],
  );
  return rows[0]?.count ?? 0;
}

export async function insertToken(
  tx: Tx,
  chainId: string,
  token: {
    token_id: string;
    hash: Buffer;
    prefix: string;
    name: string;
    scopes: string[];
    vendor_ids: string[] | null;
    expires_at: Date | null;
  },
): Promise<TokenRow> {
  const rows = await tx.query<TokenRow>(
    `insert into api_tokens (chain_id, token_id, token_hash, prefix, name, scopes, vendor_ids, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${tokenFields}`,
    [chainId, token.token_id, token.hash, token.prefix, token.name, token.scopes, token.vendor_ids, token.expires_at],
  );
  return rows[0] as TokenRow;
}

export function listTokens(db: Db, chainId: string, page: PageRequest): Promise<(TokenRow & { total: number })[]> {
  return db.query(
    `select ${tokenFields}, count(*) over ()::int as total from api_tokens where chain_id = $1 and ${liveToken}
     order by created_at desc, token_id desc limit $2 offset $3`,
    [chainId, page.pageSize, page.offset],
  );
}

export async function revokeToken(tx: Tx, chainId: string, tokenId: string): Promise<TokenRow | undefined> {
  const rows = await tx.query<TokenRow>(
    `update api_tokens set revoked_at = now() where chain_id = $1 and token_id = $2 and revoked_at is null
     returning ${tokenFields}`,
    [chainId, tokenId],
  );
  return rows[0];
}

export async function findClientSecret(db: Db, clientId: string) {
  const rows = await db.query<{ chain_id: string; client_id: string; secret_hash: string }>(
    'select chain_id, client_id, secret_hash from clients where client_id = $1',
    [clientId],
  );
  return rows[0];
}

export async function insertClient(
  tx: Tx,
  chainId: string,
  client: { client_id: string; secret_hash: string; name: string; scopes: string[] },
): Promise<ClientRow> {
  const rows = await tx.query<ClientRow>(
    `insert into clients (chain_id, client_id, secret_hash, name, scopes) values ($1, $2, $3, $4, $5)
     returning ${clientFields}`,
    [chainId, client.client_id, client.secret_hash, client.name, client.scopes],
  );
  return rows[0] as ClientRow;
}

export function listClients(db: Db, chainId: string, page: PageRequest): Promise<(ClientRow & { total: number })[]> {
  return db.query(
    `select ${clientFields}, count(*) over ()::int as total from clients where chain_id = $1
     order by created_at desc, client_id desc limit $2 offset $3`,
    [chainId, page.pageSize, page.offset],
  );
}

export async function countClients(db: Db, chainId: string): Promise<number> {
  const rows = await db.query<{ count: number }>('select count(*)::int as count from clients where chain_id = $1', [
    chainId,
  ]);
  return rows[0]?.count ?? 0;
}

export async function deleteClient(tx: Tx, chainId: string, clientId: string): Promise<ClientRow | undefined> {
  const rows = await tx.query<ClientRow>(
    `delete from clients where chain_id = $1 and client_id = $2 returning ${clientFields}`,
    [chainId, clientId],
  );
  return rows[0];
}

export async function insertAccessToken(tx: Tx, chainId: string, clientId: string, hash: Buffer, seconds: number) {
  await tx.query(
    `insert into access_tokens (chain_id, client_id, token_hash, expires_at)
     values ($1, $2, $3, now() + make_interval(secs => $4))`,
    [chainId, clientId, hash, seconds],
  );
}

export async function insertPlatformToken(tx: Tx, hash: Buffer, name: string): Promise<void> {
  await tx.query('insert into platform_tokens (token_hash, name) values ($1, $2)', [hash, name]);
}

export async function insertUser(
  tx: Tx,
  chainId: string,
  user: { user_id: string; email: string; name: string; role: string; password_hash: string },
): Promise<void> {
  await tx.query(
    'insert into users (chain_id, user_id, email, name, role, password_hash) values ($1, $2, $3, $4, $5, $6)',
    [chainId, user.user_id, user.email, user.name, user.role, user.password_hash],
  );
}

/** Last use of tokens and clients, written in bulk from time to time. */
export async function recordUse(db: Db, uses: { chain_id: string; id: string; at: Date }[]): Promise<void> {
  const columns = [uses.map((use) => use.chain_id), uses.map((use) => use.id), uses.map((use) => use.at)];
  const used = 'unnest($1::uuid[], $2::text[], $3::timestamptz[]) as used (chain_id, id, at)';
  await db.query(
    `update api_tokens t set last_used_at = greatest(t.last_used_at, used.at) from ${used}
     where t.chain_id = used.chain_id and t.token_id::text = used.id`,
    columns,
  );
  await db.query(
    `update clients c set last_used_at = greatest(c.last_used_at, used.at) from ${used}
     where c.chain_id = used.chain_id and c.client_id = used.id`,
    columns,
  );
}

export async function deleteExpiredAccessTokens(tx: Tx): Promise<number> {
  const rows = await tx.query("delete from access_tokens where expires_at < now() - interval '1 day' returning 1");
  return rows.length;
}
