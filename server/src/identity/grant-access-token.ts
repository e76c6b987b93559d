import { scopes } from '@aisle/contract/route';
import type { Database } from '../kernel/database/db.ts';
import { isReferenceViolation } from '../kernel/database/errors.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { isStorable } from '../kernel/values/text.ts';
import { hashClientSecret, isFastHash, verifyClientSecret } from './client-secret.ts';
import { findClientSecret, insertAccessToken, updateClientSecret } from './credential-queries.ts';
import type { AttemptGuard, AttemptSource } from './guard-attempts.ts';
import { tokenHash } from './rules/token.ts';
import { newToken } from './secrets.ts';

export type GrantRequest = {
  form: { grant_type: string; client_id?: string; client_secret?: string; scope?: string };
  authorization: string | undefined;
  from: AttemptSource;
};

export type Grant = { token: string; scopes: string[] };

export type GrantOptions = {
  guard: AttemptGuard;
  /** The lifetime of the token. */
  seconds: number;
  /** Counts the request against the limit of this subject. */
  limit(subject: string): Promise<unknown>;
  /** Called with the client before its secret is checked, so that the log can include the client. */
  recognize(client: { client_id: string }): void;
};

/** OAuth 2.0 client credentials (RFC 6749, 4.4). */
export async function grantAccessToken(db: Database, request: GrantRequest, options: GrantOptions): Promise<Grant> {
  if (request.form.grant_type !== 'client_credentials') {
    throw new Failure('invalid_request', 'grant_type must be client_credentials.', {
      extra: { error: 'unsupported_grant_type' },
    });
  }
  const { id, secret } = readCredentials(request);
  const client = isStorable(id) ? await findClientSecret(db, id) : undefined;
  if (!client) {
    // A limit per id would not limit a caller that guesses ids.
    await options.limit(`address ${request.from.network}`);
    throw invalidClient();
  }
  options.recognize(client);
  await checkSecret(db, options.guard, client, secret, request.from);
  // Counted after the check, so that only the client itself can use up its limit.
  await options.limit(`client ${client.client_id}`);
  const requested = readScope(request.form.scope, client.scopes);
  const token = newToken('access');
  const row = { client_id: client.client_id, hash: tokenHash(token), scopes: requested, seconds: options.seconds };
  await db
    .transaction((tx) => insertAccessToken(tx, client.chain_id, row))
    .catch((error: unknown) => {
      // The client has been deleted since it was found.
      throw isReferenceViolation(error, 'access_tokens_chain_id_client_id_fkey') ? invalidClient() : error;
    });
  const granted = new Set(requested ?? client.scopes);
  return { token, scopes: scopes.filter((scope) => granted.has(scope)) };
}

type ClientSecret = { chain_id: string; client_id: string; secret_hash: string };

/** A secret that was hashed with scrypt is slow to check. Once it is known to be correct, it is hashed with SHA-256. */
async function checkSecret(
  db: Database,
  guard: AttemptGuard,
  client: ClientSecret,
  secret: string,
  from: AttemptSource,
): Promise<void> {
  const account = `client ${client.client_id}`;
  const check = async () => {
    if (!(await verifyClientSecret(secret, client.secret_hash))) throw invalidClient();
  };
  if (!isFastHash(client.secret_hash)) {
    await guard.run(db, account, from, check);
    await updateClientSecret(db, client.chain_id, client.client_id, hashClientSecret(secret));
    return;
  }
  await check().catch(async (error: unknown) => {
    await guard.recordFailure(db, account, from.network);
    throw error;
  });
}

/** The requested scopes. Null if none were requested, which means all of the client's scopes. */
function readScope(scope: string | undefined, allowed: readonly string[]): string[] | null {
  const requested = [...new Set((scope ?? '').split(' ').filter((one) => one !== ''))];
  const refused = requested.filter((one) => !allowed.includes(one));
  if (refused.length > 0) {
    const shown = refused.slice(0, 5).map((one) => one.slice(0, 40));
    throw new Failure(
      'invalid_scope',
      `The client does not have these scopes: ${shown.join(', ')}. It has: ${allowed.join(', ')}.`,
    );
  }
  return requested.length === 0 ? null : requested;
}

function readCredentials({ form, authorization }: GrantRequest): { id: string; secret: string } {
  if (/^basic\b/i.test(authorization?.trim() ?? '')) return readBasic(authorization ?? '');
  for (const field of ['client_id', 'client_secret'] as const) {
    if (!form[field]) {
      throw new Failure('invalid_request', `${field} is missing.`, {
        errors: [{ pointer: `/${field}`, code: 'missing', message: 'is required' }],
      });
    }
  }
  return { id: form.client_id ?? '', secret: form.client_secret ?? '' };
}

/** HTTP Basic authentication, with both parts form-encoded as RFC 6749 requires. */
function readBasic(authorization: string): { id: string; secret: string } {
  const encoded = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(authorization.trim())?.[1];
  if (!encoded) throw invalidClient();
  const [id, secret] = splitOnce(Buffer.from(encoded, 'base64').toString('utf8'));
  try {
    return { id: decodeURIComponent(id), secret: decodeURIComponent(secret) };
  } catch {
    throw invalidClient();
  }
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(':');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function invalidClient(): Failure {
  return new Failure('invalid_client', undefined, { headers: { 'www-authenticate': 'Basic realm="aisle"' } });
}
