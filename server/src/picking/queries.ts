import type { MarkState } from '@aisle/contract/picking-state';
import type { Db, Tx } from '../kernel/database/db.ts';

export type ClaimRow = { order_id: string; actor: string; name: string; claimed_at: Date; expires_at: Date };

export type LineRow = {
  line_id: string;
  line_no: number;
  state: MarkState;
  quantity: number | null;
  weight: string | null;
  sku: string | null;
  replacement_sku: string | null;
  replacement_quantity: number | null;
  replacement_weight: string | null;
  scanned_codes: string[];
  mark_id: string;
  marked_at: Date;
  received_at: Date;
  actor: string;
  actor_name: string;
};

export type NewLine = Omit<LineRow, 'weight' | 'replacement_weight' | 'received_at'> & {
  weight: number | null;
  replacement_weight: number | null;
};

/** The version of an order that has not been picked yet is 0. */
export async function findVersion(db: Db, chainId: string, orderId: string): Promise<number> {
  const rows = await db.query<{ version: number }>(
    'select version from pickings where chain_id = $1 and order_id = $2',
    [chainId, orderId],
  );
  return rows[0]?.version ?? 0;
}

/** Raises the version. Returns the number of marks before and including the new ones. */
export async function raiseVersion(tx: Tx, chainId: string, orderId: string, newMarks: number): Promise<number> {
  const rows = await tx.query<{ mark_count: number }>(
    `insert into pickings (chain_id, order_id, version, mark_count) values ($1, $2, 1, $3)
     on conflict (chain_id, order_id) do update
       set version = pickings.version + 1, mark_count = pickings.mark_count + excluded.mark_count
     returning mark_count`,
    [chainId, orderId, newMarks],
  );
  return rows[0]?.mark_count ?? newMarks;
}

/** Lists the claims on these orders that have not expired, in the order in which they were made. */
export function listClaims(db: Db, chainId: string, orderIds: readonly string[]): Promise<ClaimRow[]> {
  return db.query(
    `select order_id, actor, name, claimed_at, expires_at from picking_claims
     where chain_id = $1 and order_id = any ($2::uuid[]) and expires_at > now() order by claimed_at, actor`,
    [chainId, orderIds],
  );
}

/** Makes or renews a claim. `claimed_at` stays if the claim has not expired. */
export async function insertClaim(
  tx: Tx,
  chainId: string,
  orderId: string,
  { actor, name, seconds }: { actor: string; name: string; seconds: number },
): Promise<void> {
  await tx.query(
    `insert into picking_claims (chain_id, order_id, actor, name, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(secs => $5))
     on conflict (chain_id, order_id, actor) do update set name = excluded.name, expires_at = excluded.expires_at,
       claimed_at = case when picking_claims.expires_at > excluded.claimed_at then picking_claims.claimed_at
         else excluded.claimed_at end`,
    [chainId, orderId, actor, name, seconds],
  );
}

/** Deletes the claims of other pickers: all of them, or only those that have expired. */
export async function deleteOtherClaims(
  tx: Tx,
  chainId: string,
  orderId: string,
  { actor, areAll }: { actor: string; areAll: boolean },
): Promise<void> {
  await tx.query(
    `delete from picking_claims
     where chain_id = $1 and order_id = $2 and actor <> $3 and ($4 or expires_at <= now())`,
    [chainId, orderId, actor, areAll],
  );
}

/** Returns whether there was a claim that had not expired. */
export async function deleteClaim(tx: Tx, chainId: string, orderId: string, actor: string): Promise<boolean> {
  const rows = await tx.query<{ was_live: boolean }>(
    `delete from picking_claims c using (select now() as time) clock
     where c.chain_id = $1 and c.order_id = $2 and c.actor = $3
     returning c.expires_at > clock.time as was_live`,
    [chainId, orderId, actor],
  );
  return rows[0]?.was_live ?? false;
}

export function listLines(db: Db, chainId: string, orderId: string): Promise<LineRow[]> {
  return db.query('select * from picking_lines where chain_id = $1 and order_id = $2 order by line_no', [
    chainId,
    orderId,
  ]);
}

/** Counts the items of each order that are IN_CART, NOT_FOUND or REPLACED. Orders without any are left out. */
export function countPicked(
  db: Db,
  chainId: string,
  orderIds: readonly string[],
): Promise<{ order_id: string; picked: number }[]> {
  return db.query(
    `select order_id, count(*)::int as picked from picking_lines
     where chain_id = $1 and order_id = any ($2::uuid[]) and state in ('IN_CART', 'NOT_FOUND', 'REPLACED')
     group by order_id`,
    [chainId, orderIds],
  );
}

/** Stores the ids of these marks, and returns those that are new. */
export async function insertMarks(tx: Tx, chainId: string, orderId: string, markIds: string[]): Promise<Set<string>> {
  const rows = await tx.query<{ mark_id: string }>(
    `insert into picking_marks (chain_id, order_id, mark_id, mark_no)
     select $1, $2, sent.mark_id,
       coalesce((select mark_count from pickings where chain_id = $1 and order_id = $2), 0) + row_number() over (order by position)
     from unnest($3::uuid[]) with ordinality as sent (mark_id, position)
     where not exists (select 1 from picking_marks m where m.chain_id = $1 and m.order_id = $2 and m.mark_id = sent.mark_id)
     returning mark_id`,
    [chainId, orderId, markIds],
  );
  return new Set(rows.map(({ mark_id }) => mark_id));
}

/** Forgets marks up to this number. */
export async function deleteMarks(tx: Tx, chainId: string, orderId: string, upTo: number): Promise<void> {
  await tx.query('delete from picking_marks where chain_id = $1 and order_id = $2 and mark_no <= $3', [
    chainId,
    orderId,
    upTo,
  ]);
}

/** Inserts or replaces lines. A line that exists keeps its number. Weights are truncated to grams. */
export async function saveLines(tx: Tx, chainId: string, orderId: string, lines: NewLine[]): Promise<void> {
  await tx.query(
    `insert into picking_lines (chain_id, order_id, line_id, line_no, state, quantity, weight, sku, replacement_sku,
       replacement_quantity, replacement_weight, scanned_codes, mark_id, marked_at, actor, actor_name)
     select $1, $2, l.line_id, l.line_no, l.state, l.quantity, trunc(l.weight, 3), l.sku, l.replacement_sku,
       l.replacement_quantity, trunc(l.replacement_weight, 3), l.scanned_codes, l.mark_id, l.marked_at, l.actor,
       l.actor_name
     from jsonb_to_recordset($3::jsonb) as l (line_id text, line_no int, state text, quantity int, weight numeric,
       sku text, replacement_sku text, replacement_quantity int, replacement_weight numeric, scanned_codes text[],
       mark_id uuid, marked_at timestamptz, actor text, actor_name text)
     on conflict (chain_id, order_id, line_id) do update set state = excluded.state, quantity = excluded.quantity,
       weight = excluded.weight, sku = excluded.sku, replacement_sku = excluded.replacement_sku,
       replacement_quantity = excluded.replacement_quantity, replacement_weight = excluded.replacement_weight,
       scanned_codes = excluded.scanned_codes, mark_id = excluded.mark_id, marked_at = excluded.marked_at,
       received_at = excluded.received_at, actor = excluded.actor, actor_name = excluded.actor_name`,
    [chainId, orderId, JSON.stringify(lines)],
  );
}
