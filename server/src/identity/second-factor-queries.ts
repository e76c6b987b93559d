import type { Db, Tx } from '../kernel/database/db.ts';
import { changeRows } from './queries.ts';

export type FactorRow = { chain_id: string; user_id: string; secret_sealed: Buffer; confirmed_at: Date | null };

const factorFields = 'chain_id, user_id, secret_sealed, confirmed_at';

export async function findSecondFactor(
  db: Db,
  chainId: string,
  userId: string,
): Promise<(FactorRow & { recovery_codes: number }) | undefined> {
  const rows = await db.query<FactorRow & { recovery_codes: number }>(
    `select ${factorFields},
       (select count(*)::int from recovery_codes where chain_id = $1 and user_id = $2) as recovery_codes
     from second_factors where chain_id = $1 and user_id = $2`,
    [chainId, userId],
  );
  return rows[0];
}

/** Includes the database's time, because codes depend on the time and a process's clock can be wrong. */
export async function lockSecondFactor(
  tx: Tx,
  chainId: string,
  userId: string,
): Promise<(FactorRow & { now_ms: number }) | undefined> {
  const rows = await tx.query<FactorRow & { now_ms: number }>(
    `select ${factorFields}, extract(epoch from clock_timestamp())::float8 * 1000 as now_ms
     from second_factors where chain_id = $1 and user_id = $2 for update`,
    [chainId, userId],
  );
  return rows[0];
}

/** Replaces an unconfirmed factor. Returns false if there is a confirmed one, which stays as it is. */
export async function insertUnconfirmed(tx: Tx, chainId: string, userId: string, sealed: Buffer): Promise<boolean> {
  const rows = await tx.query(
    `insert into second_factors as f (chain_id, user_id, secret_sealed) values ($1, $2, $3)
     on conflict (chain_id, user_id) do update set secret_sealed = excluded.secret_sealed, created_at = excluded.created_at,
       last_step = 0
     where f.confirmed_at is null
     returning 1`,
    [chainId, userId, sealed],
  );
  return rows.length > 0;
}

export async function updateConfirmed(tx: Tx, chainId: string, userId: string): Promise<void> {
  await changeRows(tx, 'update second_factors set confirmed_at = now() where chain_id = $1 and user_id = $2', [
    chainId,
    userId,
  ]);
}

/** Returns false if a code of this or a later time step was used before. */
export async function updateLastStep(tx: Tx, chainId: string, userId: string, step: number): Promise<boolean> {
  const rows = await tx.query(
    `update second_factors set last_step = $3 where chain_id = $1 and user_id = $2 and last_step < $3 returning 1`,
    [chainId, userId, step],
  );
  return rows.length > 0;
}

/** Also deletes the recovery codes. */
export async function deleteSecondFactor(tx: Tx, chainId: string, userId: string): Promise<void> {
  await changeRows(tx, 'delete from second_factors where chain_id = $1 and user_id = $2', [chainId, userId]);
}

export async function insertRecoveryCodes(
  tx: Tx,
  chainId: string,
  userId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.query(
    'insert into recovery_codes (chain_id, user_id, code_hash) select $1, $2, hash from unnest($3::bytea[]) as hash',
    [chainId, userId, hashes],
  );
}

export async function deleteRecoveryCodes(tx: Tx, chainId: string, userId: string): Promise<void> {
  await tx.query('delete from recovery_codes where chain_id = $1 and user_id = $2', [chainId, userId]);
}

/** Returns false if the user has no such code. */
export async function deleteRecoveryCode(tx: Tx, chainId: string, userId: string, hash: Buffer): Promise<boolean> {
  const rows = await tx.query(
    'delete from recovery_codes where chain_id = $1 and user_id = $2 and code_hash = $3 returning 1',
    [chainId, userId, hash],
  );
  return rows.length > 0;
}

/** Lists the factors of all chains, because all are encrypted with the same keys. */
export function listSealedFactors(db: Db): Promise<FactorRow[]> {
  return db.query(`select ${factorFields} from second_factors`);
}
