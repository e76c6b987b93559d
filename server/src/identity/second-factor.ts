import type { Db, Tx } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import type { FactorSecrets } from './factor-secrets.ts';
import { formatRecoveryCode, isAppCode, normalizeCode } from './rules/second-factor.ts';
import { tokenHash } from './rules/token.ts';
import {
  deleteRecoveryCode,
  deleteRecoveryCodes,
  deleteSecondFactor,
  type FactorRow,
  findSecondFactor,
  insertRecoveryCodes,
  insertUnconfirmed,
  lockSecondFactor,
  updateConfirmed,
  updateLastStep,
} from './second-factor-queries.ts';
import { newBase32 } from './secrets.ts';
import { deleteSessions } from './session-queries.ts';
import { findStep } from './totp.ts';
import { lockPasswordHash } from './user-queries.ts';

type User = { chainId: string; userId: string };

/** Returns the new secret. The second factor stays off until `confirmSecondFactor`. */
export async function startSecondFactor(tx: Tx, secrets: FactorSecrets, { chainId, userId }: User): Promise<string> {
  // The lock keeps the user from being deleted at the same time.
  if ((await lockPasswordHash(tx, chainId, userId)) === undefined) throw new Failure('invalid_token');
  const secret = newBase32(secretBytes);
  const isInserted = await insertUnconfirmed(tx, chainId, userId, secrets.seal(chainId, userId, secret));
  if (!isInserted) throw new Failure('second_factor_enabled');
  return secret;
}

/** Turns the second factor on and returns the recovery codes. Ends all of the user's sessions except `session`. */
export async function confirmSecondFactor(
  tx: Tx,
  secrets: FactorSecrets,
  { chainId, userId }: User,
  code: string,
  session: Buffer,
): Promise<string[]> {
  await lockPasswordHash(tx, chainId, userId);
  const factor = await lockSecondFactor(tx, chainId, userId);
  if (!factor) throw new Failure('second_factor_disabled');
  if (factor.confirmed_at !== null) throw new Failure('second_factor_enabled');
  if (!(await useAppCode(tx, secrets, factor, normalizeCode(code)))) throw new Failure('invalid_code');
  await updateConfirmed(tx, chainId, userId);
  await deleteSessions(tx, chainId, userId, session);
  return insertNewCodes(tx, chainId, userId);
}

/** Fails unless the code is correct and unused. It cannot be used again. */
export async function spendCode(
  tx: Tx,
  secrets: FactorSecrets,
  { chainId, userId }: User,
  code: string,
): Promise<void> {
  const factor = await lockSecondFactor(tx, chainId, userId);
  if (!factor || factor.confirmed_at === null) throw new Failure('second_factor_disabled');
  const normalized = normalizeCode(code);
  const isAccepted = isAppCode(normalized)
    ? await useAppCode(tx, secrets, factor, normalized)
    : await deleteRecoveryCode(tx, chainId, userId, tokenHash(normalized));
  if (!isAccepted) throw new Failure('invalid_code');
}

export async function replaceRecoveryCodes(
  tx: Tx,
  secrets: FactorSecrets,
  { chainId, userId }: User,
  code: string,
): Promise<string[]> {
  await spendCode(tx, secrets, { chainId, userId }, code);
  await deleteRecoveryCodes(tx, chainId, userId);
  return insertNewCodes(tx, chainId, userId);
}

/** Ends all of the user's sessions except `session`. */
export async function disableSecondFactor(
  tx: Tx,
  secrets: FactorSecrets,
  { chainId, userId }: User,
  code: string,
  session: Buffer,
): Promise<void> {
  await spendCode(tx, secrets, { chainId, userId }, code);
  await deleteSecondFactor(tx, chainId, userId);
  await deleteSessions(tx, chainId, userId, session);
}

/** An unconfirmed factor counts as off. */
export async function describeFactor(
  db: Db,
  { chainId, userId }: User,
): Promise<{ is_enabled: boolean; enabled_at: string | null; recovery_codes_left: number }> {
  const factor = await findSecondFactor(db, chainId, userId);
  if (!factor || factor.confirmed_at === null) return { is_enabled: false, enabled_at: null, recovery_codes_left: 0 };
  const { confirmed_at, recovery_codes } = factor;
  return { is_enabled: true, enabled_at: confirmed_at.toISOString(), recovery_codes_left: recovery_codes };
}

/** RFC 4226 recommends 160 bits for the secret. Recovery codes have 120 bits, so a fast hash is enough. */
const secretBytes = 20;
const recoveryCodeBytes = 15;
const recoveryCodes = 10;

async function useAppCode(
  tx: Tx,
  secrets: FactorSecrets,
  factor: FactorRow & { now_ms: number },
  code: string,
): Promise<boolean> {
  const step = findStep(secrets.open(factor), code, factor.now_ms);
  return step !== undefined && (await updateLastStep(tx, factor.chain_id, factor.user_id, step));
}

async function insertNewCodes(tx: Tx, chainId: string, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, () => formatRecoveryCode(newBase32(recoveryCodeBytes)));
  const hashes = codes.map((code) => tokenHash(normalizeCode(code)));
  await insertRecoveryCodes(tx, chainId, userId, hashes);
  return codes;
}

/** A session alone must not be enough to turn off the factor. `account` is the path of the user's own account. */
export function ownFactor(account: string): Failure {
  const advice = `turn it off with your password and a code (POST ${account}/second-factor/disable)`;
  return new Failure('forbidden', `You cannot reset your own second factor; ${advice}.`);
}
