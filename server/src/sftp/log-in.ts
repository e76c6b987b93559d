import { createHash } from 'node:crypto';
import ssh2, { type AuthContext, type PublicKeyAuthContext } from 'ssh2';
import { type AttemptGuard, type AttemptSource, findMatching } from '../identity/index.ts';
import type { Db } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { findLogin, hasKey, type LoginRow } from './queries.ts';
import { checkKey, fingerprintOf } from './rules/public-key.ts';

/** `probe`: the client asks whether a key would be accepted, before it proves that it has the private key. */
export type LoginResult =
  | { outcome: 'accepted'; user: LoginRow }
  | { outcome: 'probe' }
  | { outcome: 'rejected' | 'limited'; reason: string };

export type LoginParts = { db: Db; guard: AttemptGuard; passwordCost: number; from: AttemptSource };

/** Checks a login attempt. Rejecting an unknown name takes as long as rejecting a wrong password. */
export async function checkLogin(context: AuthContext, parts: LoginParts): Promise<LoginResult> {
  // No user has a longer name or other characters, and PostgreSQL does not accept U+0000.
  const isPossible = context.username.length <= 64 && /^[a-z0-9-]+$/.test(context.username);
  const user = isPossible ? await findLogin(parts.db, context.username) : undefined;
  if (context.method === 'password') {
    // Despite its type, this is an object if the client wants to change the password.
    if (typeof context.password !== 'string') return rejected('passwords cannot be changed');
    return checkPassword(context.username, context.password, user, parts);
  }
  if (context.method === 'publickey') return checkKeyLogin(context, user, parts);
  return { outcome: 'rejected', reason: `the method ${context.method} is not supported` };
}

async function checkPassword(
  username: string,
  password: string,
  user: LoginRow | undefined,
  { db, guard, passwordCost, from }: LoginParts,
): Promise<LoginResult> {
  const accounts = user?.password_hash ? [{ ...user, password_hash: user.password_hash }] : [];
  try {
    const matching = await guard.run(db, accountOf(username), from, async () => {
      // Generated passwords are much shorter, and hashing a very long one would be slow.
      const [found] = await findMatching(password.slice(0, 1000), accounts, passwordCost);
      if (!found) throw new Failure('invalid_credentials');
      return found;
    });
    return { outcome: 'accepted', user: matching };
  } catch (error) {
    return asResult(error, user ? 'wrong password' : 'unknown user');
  }
}

async function checkKeyLogin(
  context: PublicKeyAuthContext,
  user: LoginRow | undefined,
  { db, guard, from }: LoginParts,
): Promise<LoginResult> {
  // A SHA-1 signature. The server announces newer algorithms, and clients that support them use them.
  if (context.key.algo === 'ssh-rsa' && context.hashAlgo === undefined) return rejected('SHA-1 signature');
  const fingerprint = fingerprintOf(context.key.data);
  if (!user || !(await hasKey(db, user.chain_id, user.sftp_user_id, fingerprint))) return rejected('unknown key');
  // The key may have been added by an earlier version, which accepted more keys.
  const problem = checkKey(context.key.algo, context.key.data);
  if (problem !== undefined) return rejected(`the key ${problem}`);
  if (context.signature === undefined || context.blob === undefined) return { outcome: 'probe' };
  try {
    await guard.run(db, accountOf(user.username), from, async () => {
      if (!isSignedBy(context, context.blob as Buffer, context.signature as Buffer)) {
        throw new Failure('invalid_credentials');
      }
    });
    return { outcome: 'accepted', user };
  } catch (error) {
    return asResult(error, 'wrong signature');
  }
}

function rejected(reason: string): LoginResult {
  return { outcome: 'rejected', reason };
}

function asResult(error: unknown, reason: string): LoginResult {
  if (!(error instanceof Failure)) throw error;
  if (error.code === 'invalid_credentials') return rejected(reason);
  return { outcome: 'limited', reason: error.message };
}

/** Attempts are counted by a hash of the name, because users can enter a password as the name by mistake. */
function accountOf(username: string): string {
  return `sftp ${createHash('sha256').update(username).digest('hex').slice(0, 32)}`;
}

function isSignedBy({ key, hashAlgo }: PublicKeyAuthContext, blob: Buffer, signature: Buffer): boolean {
  const parsed = ssh2.utils.parseKey(key.data);
  if (parsed instanceof Error || Array.isArray(parsed)) return false;
  // Despite its type, the result can also be an error.
  const result: unknown = parsed.verify(blob, signature, hashAlgo);
  return result === true;
}
