import { createHmac, randomBytes } from 'node:crypto';
import type { FeedEvent } from '@aisle/sdk';
import { readConfigFile, updateConfigFile } from '../config/config-file.ts';
import { UsageError } from '../errors.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';

export type Environment = 'staging' | 'production';

export type Message = {
  event: Pick<FeedEvent, 'event_id' | 'type' | 'body'>;
  secret: string;
  environment: Environment;
  authorization: string | undefined;
  at: Date;
};

/** The body and the headers of the message that the server would send to a webhook for this event. */
export function signMessage({ event, secret, environment, authorization, at }: Message) {
  const body = JSON.stringify(event.body);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${event.event_id}.${timestamp}.${body}`).digest('base64');
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `Aisle/${version}`,
    'webhook-id': event.event_id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
    'aisle-event-type': event.type,
    'x-environment': environment,
    ...(authorization !== undefined && { authorization }),
  };
  return { body, headers };
}

/** The secret from AISLE_SIGNING_SECRET, or the one that belongs to this computer, which is created on first use. */
export function findSecret(terminal: Terminal): string {
  const given = terminal.env['AISLE_SIGNING_SECRET'];
  if (given) return checkSecret(given);
  const stored = readConfigFile(terminal).listen_secret;
  if (stored !== undefined) return stored;
  const fresh = `whsec_${randomBytes(32).toString('base64')}`;
  // Another command can have created it since.
  return updateConfigFile(terminal, (file) => ({ listen_secret: fresh, ...file })).listen_secret ?? fresh;
}

function checkSecret(text: string): string {
  const [, key = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  if (Buffer.from(key, 'base64').length >= 24) return text;
  throw new UsageError(
    'AISLE_SIGNING_SECRET must be a signing secret: whsec_ followed by at least 24 bytes in Base64.',
  );
}
