import { scopes } from '@aisle/contract/route';
import type { Database } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { isStorable } from '../kernel/values/text.ts';
import { findClientSecret, insertAccessToken } from './credential-queries.ts';
import { tokenHash } from './rules/token.ts';
import { verifySecret, verifyDummySecret, newToken } from './secrets.ts';

export type GrantRequest = {
  form: { grant_type: string; client_id?: string; client_secret?: string; scope?: string };
  authorization: string | undefined;
  ip: string;
};

export type Grant = { token: string; scopes: string[] };

/** OAuth 2.0 client credentials (RFC 6749, 4.4). `limit` counts the attempt before the slow secret check. */
export async function grantAccessToken(
  db: Database,
  request: GrantRequest,
  seconds: number,
  limit: (subject: string) => Promise<void>,
): Promise<Grant> {
  if (request.form.grant_type !== 'client_credentials') {
    throw new Failure('invalid_request', 'grant_type must be client_credentials.', {
      extra: { error: 'unsupported_grant_type' },
    });
  }
  const { id, secret } = readCredentials(request);
  const client = isStorable(id) ? await findClientSecret(db, id) : undefined;
  // Requests with an unknown id are limited by IP address. A limit per id would not limit clients that guess ids.
  await limit(client ? `client ${client.client_id}` : `address ${request.ip}`);
  const isCorrect = await (client ? verifySecret(secret, client.secret_hash) : verifyDummySecret(secret));
  if (!client || !isCorrect) throw invalidClient();
  const requested = readScope(request.form.scope, client.scopes);
  const token = newToken('access');
  await db.transaction((tx) =>
    insertAccessToken(tx, client.chain_id, {
      client_id: client.client_id,
      hash: tokenHash(token),
      scopes: requested,
      seconds,
    }),
  );
  const granted = new Set(requested ?? client.scopes);
  return { token, scopes: scopes.filter((scope) => granted.has(scope)) };
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
