import type { Database } from '../kernel/database/db.ts';
import { Failure } from '../kernel/failures/failure.ts';
import { randomBase62 } from '../kernel/values/ids.ts';
import { isStorable } from '../kernel/values/text.ts';
import { findClientSecret, insertAccessToken } from './credential-queries.ts';
import { hashSecret, isSecret } from './secret.ts';
import { newToken } from './new-token.ts';
import { tokenHash } from './rules/token.ts';

export type GrantRequest = {
  form: { grant_type: string; client_id?: string; client_secret?: string };
  authorization: string | undefined;
  ip: string;
};

/** OAuth 2.0 client credentials (RFC 6749, 4.4). `limit` counts the try before the costly comparison. */
export async function grantAccessToken(
  db: Database,
  request: GrantRequest,
  seconds: number,
  limit: (subject: string) => Promise<void>,
): Promise<string> {
  if (request.form.grant_type !== 'client_credentials') {
    throw new Failure('invalid_request', 'grant_type must be client_credentials.', {
      extra: { error: 'unsupported_grant_type' },
    });
  }
  const { id, secret } = readCredentials(request);
  const client = isStorable(id) ? await findClientSecret(db, id) : undefined;
  // Ids that nobody has share the count of their address: with one each, guessing (and its cost for us) had no limit.
  await limit(client ? `client ${client.client_id}` : `address ${request.ip}`);
  // An unknown client takes as long as a wrong secret: time must not tell which ids exist.
  const isRight = await isSecret(secret, client?.secret_hash ?? (await unknownUserHash));
  if (!client || !isRight) throw wrongClient();
  const token = newToken('access');
  await db.transaction((tx) => insertAccessToken(tx, client.chain_id, client.client_id, tokenHash(token), seconds));
  return token;
}

const unknownUserHash = hashSecret(randomBase62(32));

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

/** HTTP Basic, with both parts form-encoded as RFC 6749 asks. */
function readBasic(authorization: string): { id: string; secret: string } {
  const encoded = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(authorization.trim())?.[1];
  if (!encoded) throw wrongClient();
  const [id, secret] = splitOnce(Buffer.from(encoded, 'base64').toString('utf8'));
  try {
    return { id: decodeURIComponent(id), secret: decodeURIComponent(secret) };
  } catch {
    throw wrongClient();
  }
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(':');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function wrongClient(): Failure {
  return new Failure('invalid_client', undefined, { headers: { 'www-authenticate': 'Basic realm="aisle"' } });
}
