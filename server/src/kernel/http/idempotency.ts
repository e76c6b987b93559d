import { createHash, hash, hkdfSync, webcrypto } from 'node:crypto';
import { isReplayable } from '@aisle/contract/route';
import { countAffected } from '../database/count-affected.ts';
import { type Database, savepoint, type Tx } from '../database/db.ts';
import { namedLock } from '../database/locks.ts';
import { Failure } from '../failures/failure.ts';
import { seal, SealError, tryOpen } from '../secrets/seal.ts';

/**
 * Idempotency keys. The whole request runs in one transaction that first takes an advisory lock on the key. A second
 * request with the same key finds the lock taken (409) or the stored response. The response is stored in the same
 * transaction as the effects, so a crash leaves both or neither, and nothing has to be cleaned up.
 *
 * A response may contain a secret that is shown only once. So the table contains only the hash of the idempotency key,
 * and the response is encrypted with a key derived from the idempotency key, so that only a client that sends the same
 * key again can read the response.
 */
export type KeyedRequest = { owner: string; request: string; key: string; bodyHash: Buffer };
export type StoredResponse = { status: number; headers: Record<string, string>; body: string };

export type Outcome = { response: StoredResponse; replayed: boolean };

/**
 * `work` returns the response. If it throws a `Failure`, `failed` converts the failure to a response, which is stored
 * too.
 */
export function runOnce(
  db: Database,
  keyed: KeyedRequest,
  work: (tx: Tx) => Promise<StoredResponse>,
  failed: (failure: Failure) => StoredResponse,
): Promise<Outcome> {
  return db.transaction(async (tx) => {
    if (!(await tryLockKey(tx, keyed))) throw new Failure('idempotency_in_progress');
    const known = await findResponse(tx, keyed);
    if (known && !known.body_hash.equals(keyed.bodyHash)) throw new Failure('idempotency_key_reused');
    if (known) return { response: known, replayed: true };
    const response = await savepoint(tx, () => work(tx)).catch((error: unknown) => {
      if (error instanceof Failure && isReplayable(error.status)) return failed(error);
      throw error;
    });
    if (isReplayable(response.status)) await insertResponse(tx, keyed, response);
    return { response, replayed: false };
  });
}

const maxHashedAtOnce = 65_536;

/**
 * The query decides what a request does, too: `dry_run`, for example. Without one, it is the hash of the body, which
 * earlier versions stored for all requests.
 */
export async function hashRequest(body: Uint8Array, query: string): Promise<Buffer> {
  const hashed = await hashBody(body);
  return query === '' ? hashed : createHash('sha256').update(hashed).update(query).digest();
}

/** A large body is hashed off the event loop, because it would delay every other request. */
async function hashBody(body: Uint8Array): Promise<Buffer> {
  if (body.length <= maxHashedAtOnce) return hash('sha256', body, 'buffer');
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', body as Uint8Array<ArrayBuffer>));
}

/** Accepts the key with or without quotes (the draft requires them). Undefined if the header is absent. */
export function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined || header === '') return undefined;
  const text = [header].flat().join(',').trim();
  const key = /^"((?:[^"\\]|\\.)*)"$/.exec(text)?.[1]?.replace(/\\(.)/g, '$1') ?? text;
  if (/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) return key;
  throw new Failure('invalid_request', 'Idempotency-Key must have 1 to 255 printable ASCII characters.', {
    errors: [
      { pointer: 'Idempotency-Key', code: 'bad_format', message: 'must have 1 to 255 printable ASCII characters' },
    ],
  });
}

export function deleteOldKeys(tx: Tx, hours: number): Promise<number> {
  return countAffected(tx, 'delete from idempotency_keys where created_at < now() - make_interval(hours => $1)', [
    hours,
  ]);
}

async function tryLockKey(tx: Tx, keyed: KeyedRequest): Promise<boolean> {
  const name = `${keyed.owner} ${keyed.request} ${keyed.key}`;
  const rows = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(${namedLock('idempotencyKey')}) as locked`,
    [name],
  );
  return rows[0]?.locked ?? false;
}

async function findResponse(
  tx: Tx,
  keyed: KeyedRequest,
): Promise<(StoredResponse & { body_hash: Buffer }) | undefined> {
  const rows = await tx.query<{ body_hash: Buffer; sealed: Buffer }>(
    `select body_hash, sealed from idempotency_keys
     where chain_id = $1 and request = $2 and key_hash = $3 and created_at > now() - interval '24 hours'`,
    [keyed.owner, keyed.request, keyHash(keyed)],
  );
  const row = rows[0];
  return row && { ...openResponse(keyed, row.sealed), body_hash: row.body_hash };
}

function insertResponse(tx: Tx, keyed: KeyedRequest, response: StoredResponse): Promise<unknown[]> {
  return tx.query(
    `insert into idempotency_keys (chain_id, request, key_hash, body_hash, sealed) values ($1, $2, $3, $4, $5)
     on conflict (chain_id, request, key_hash) do update
     set body_hash = excluded.body_hash, sealed = excluded.sealed, created_at = excluded.created_at`,
    [keyed.owner, keyed.request, keyHash(keyed), keyed.bodyHash, seal(cipherKey(keyed), JSON.stringify(response))],
  );
}

function keyHash(keyed: KeyedRequest): Buffer {
  return createHash('sha256').update(keyed.key).digest();
}

function openResponse(keyed: KeyedRequest, sealed: Buffer): StoredResponse {
  const text = tryOpen(cipherKey(keyed), sealed);
  if (text === undefined) throw new SealError('A stored response cannot be decrypted with its own idempotency key.');
  return JSON.parse(text) as StoredResponse;
}

function cipherKey(keyed: KeyedRequest): Buffer {
  return Buffer.from(hkdfSync('sha256', keyed.key, keyed.owner, keyed.request, 32));
}
