import { secondsLeft } from '../kernel/database/clock.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import { changeRows } from './queries.ts';

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
  vendor_ids: string[] | null;
  created_at: Date;
  last_used_at: Date | null;
};

export type CredentialRow = {
  kind: 'token' | 'client' | 'platform';
  id: string;
  name: string;
  chain_id: string | null;
  token_hash: Buffer;
  scopes: string[];
  vendor_ids: string[] | null;
  expires_at: Date | null;
  /** Null if the token does not expire. */
  seconds_left: number | null;
  is_revoked: boolean;
};

const tokenFields = 'chain_id, token_id, prefix, name, scopes, vendor_ids, created_at, expires_at, last_used_at';
const clientFields = 'chain_id, client_id, name, scopes, vendor_ids, created_at, last_used_at';
const isWithin = '($2::text[] is null or vendor_ids <@ $2)';
const liveToken = 'revoked_at is null and (expires_at is null or expires_at > now())';

/** Finds an API, access or platform token, even if it has expired or was revoked. */
export async function findCredential(db: Db, hash: Buffer): Promise<CredentialRow | undefined> {
  const rows = await db.query<CredentialRow>(
    `select 'token' as kind, token_id::text as id, name, chain_id, token_hash, scopes, vendor_ids, expires_at,
       ${secondsLeft('expires_at')} as seconds_left, revoked_at is not null as is_revoked
     from api_tokens where token_hash = $1
     union all
     select 'client', c.client_id, c.name, c.chain_id, a.token_hash, coalesce(a.scopes, c.scopes), c.vendor_ids,
       a.expires_at, ${secondsLeft('a.expires_at')}, false
     from access_tokens a join clients c on c.chain_id = a.chain_id and c.client_id = a.client_id where a.token_hash = $1
     union all
     select 'platform', encode(token_hash, 'hex'), name, null, token_hash, '{}', null, null, null, false
     from platform_tokens where token_hash = $1`,
    [hash],
  );
  return rows[0];
}

/** The name of a token, client or user. No two of them have the same id. */
export async function findCredentialName(db: Db, chainId: string, id: string): Promise<string | undefined> {
  const rows = await db.query<{ name: string }>(
    `select name from api_tokens where chain_id = $1 and token_id::text = $2
     union all select name from clients where chain_id = $1 and client_id = $2
     union all select name from users where chain_id = $1 and user_id::text = $2`,
    [chainId, id],
  );
  return rows[0]?.name;
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

/** Lists only tokens that are limited to vendors in `only`. Null means all tokens. */
export function listTokens(
  db: Db,
  chainId: string,
  only: readonly string[] | null,
  page: PageRequest,
): Promise<(TokenRow & { total: number })[]> {
  return db.query(
    `select ${tokenFields}, count(*) over ()::int as total from api_tokens
     where chain_id = $1 and ${isWithin} and ${liveToken}
     order by created_at desc, token_id desc limit $3 offset $4`,
    [chainId, only, page.pageSize, page.offset],
  );
}

export async function revokeToken(
  tx: Tx,
  chainId: string,
  only: readonly string[] | null,
  tokenId: string,
): Promise<TokenRow | undefined> {
  const rows = await changeRows<TokenRow>(
    tx,
    `update api_tokens set revoked_at = now()
     where chain_id = $1 and ${isWithin} and token_id = $3 and revoked_at is null
     returning ${tokenFields}`,
    [chainId, only, tokenId],
  );
  return rows[0];
}

export async function findClientSecret(db: Db, clientId: string) {
  const rows = await db.query<{ chain_id: string; client_id: string; secret_hash: string; scopes: string[] }>(
    'select chain_id, client_id, secret_hash, scopes from clients where client_id = $1',
    [clientId],
  );
  return rows[0];
}

/** Replaces only the hash of the secret, not the secret itself, so cached credentials stay valid. */
export async function updateClientSecret(db: Db, chainId: string, clientId: string, hash: string): Promise<void> {
  await db.query('update clients set secret_hash = $3 where chain_id = $1 and client_id = $2', [
    chainId,
    clientId,
    hash,
  ]);
}

export async function countClients(tx: Tx, chainId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>('select count(*)::int as count from clients where chain_id = $1', [
    chainId,
  ]);
  return rows[0]?.count ?? 0;
}

export async function insertClient(
  tx: Tx,
  chainId: string,
  client: { client_id: string; secret_hash: string; name: string; scopes: string[]; vendor_ids: string[] | null },
): Promise<ClientRow> {
  const rows = await tx.query<ClientRow>(
    `insert into clients (chain_id, client_id, secret_hash, name, scopes, vendor_ids) values ($1, $2, $3, $4, $5, $6)
     returning ${clientFields}`,
    [chainId, client.client_id, client.secret_hash, client.name, client.scopes, client.vendor_ids],
  );
  return rows[0] as ClientRow;
}

/** Lists only clients that are limited to vendors in `only`. Null means all clients. */
export function listClients(
  db: Db,
  chainId: string,
  only: readonly string[] | null,
  page: PageRequest,
): Promise<(ClientRow & { total: number })[]> {
  return db.query(
    `select ${clientFields}, count(*) over ()::int as total from clients where chain_id = $1 and ${isWithin}
     order by created_at desc, client_id desc limit $3 offset $4`,
    [chainId, only, page.pageSize, page.offset],
  );
}

export async function deleteClient(
  tx: Tx,
  chainId: string,
  only: readonly string[] | null,
  clientId: string,
): Promise<ClientRow | undefined> {
  const rows = await changeRows<ClientRow>(
    tx,
    `delete from clients where chain_id = $1 and ${isWithin} and client_id = $3 returning ${clientFields}`,
    [chainId, only, clientId],
  );
  return rows[0];
}

/** If `scopes` is null, the token has all of the client's scopes. */
export async function insertAccessToken(
  tx: Tx,
  chainId: string,
  token: { client_id: string; hash: Buffer; scopes: string[] | null; seconds: number },
): Promise<void> {
  await tx.query(
    `insert into access_tokens (chain_id, client_id, token_hash, scopes, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
    [chainId, token.client_id, token.hash, token.scopes, token.seconds],
  );
}

export async function insertPlatformToken(tx: Tx, hash: Buffer, name: string): Promise<void> {
  await tx.query('insert into platform_tokens (token_hash, name) values ($1, $2)', [hash, name]);
}

/** Deletes the chain's tokens and clients with this name, which are about to be replaced. */
export async function deleteCredentialsNamed(tx: Tx, chainId: string, name: string): Promise<void> {
  await changeRows(
    tx,
    `with tokens as (delete from api_tokens where chain_id = $1 and name = $2)
     delete from clients where chain_id = $1 and name = $2`,
    [chainId, name],
  );
}

export async function deletePlatformTokensNamed(tx: Tx, name: string): Promise<void> {
  await changeRows(tx, 'delete from platform_tokens where name = $1', [name]);
}

/** Stores when each of these tokens and clients was last used. */
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
