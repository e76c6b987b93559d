import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { createTurns } from '../kernel/values/turns.ts';

/**
 * Passwords are hashed with scrypt, with the parameters that OWASP recommends: N = 2^17, r = 8, p = 1. The parameters
 * are stored with the hash, so that they can be changed later. `cost` is the binary logarithm of N. Chains and sign-ins
 * take turns, so a chain that creates many users passes its id as `turn`. This must not be called in a transaction, which
 * would hold a connection meanwhile.
 */
export async function hashPassword(
  password: string,
  cost: number,
  { salt = randomBytes(16), turn = '' }: { salt?: Buffer | undefined; turn?: string } = {},
): Promise<string> {
  const parameters = { N: 2 ** cost, r: 8, p: 1 };
  const hash = await takeTurn(turn, () => startScrypt(password, salt, parameters));
  return ['scrypt', parameters.N, parameters.r, parameters.p, encode(salt), encode(hash)].join('$');
}

export async function verifyPassword(password: string, stored: string, turn = ''): Promise<boolean> {
  const { parameters, salt, hash } = parse(stored);
  return timingSafeEqual(hash, await takeTurn(turn, () => startScrypt(password, salt, parameters)));
}

/**
 * Returns the accounts with this password. Accounts with the same email address share a salt (`saltOf`), so that one
 * slow hash is enough for all of them, and the response time does not reveal how many there are, if any.
 */
export async function findMatching<Account extends { password_hash: string }>(
  password: string,
  accounts: readonly Account[],
  cost: number,
): Promise<Account[]> {
  const derived = new Map<string, Buffer>();
  const matching: Account[] = [];
  for (const account of accounts) {
    const { parameters, salt, hash } = parse(account.password_hash);
    const key = account.password_hash.slice(0, account.password_hash.lastIndexOf('$'));
    const found = derived.get(key) ?? (await takeTurn('', () => startScrypt(password, salt, parameters)));
    derived.set(key, found);
    if (timingSafeEqual(hash, found)) matching.push(account);
  }
  const isSlow = accounts.some((account) => !isOutdated(account.password_hash, cost));
  if (!isSlow && matching.length === 0) await hashPassword(password, cost);
  return matching;
}

/** Whether the password has to be hashed again, with the current parameters. */
export function isOutdated(stored: string, cost: number): boolean {
  return parse(stored).parameters.N !== 2 ** cost;
}

export function saltOf(stored: string): Buffer {
  return parse(stored).salt;
}

type Parameters = { N: number; r: number; p: number };

function parse(stored: string): { parameters: Parameters; salt: Buffer; hash: Buffer } {
  const [, N, r, p, salt = '', hash = ''] = stored.split('$');
  const parameters = { N: Number(N), r: Number(r), p: Number(p) };
  return { parameters, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}

function encode(bytes: Buffer): string {
  return bytes.toString('base64');
}

/** Each hash takes 128 MiB of memory and one of Node's four worker threads for a few hundred milliseconds. */
const takeTurn = createTurns(2);

function startScrypt(password: string, salt: Buffer, parameters: Parameters): Promise<Buffer> {
  const maxmem = 256 * parameters.N * parameters.r;
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, { ...parameters, maxmem }, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
