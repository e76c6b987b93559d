import { maxPlatformWebhooks } from '@aisle/contract/platform-webhooks';
import type { PlatformEventType } from '@aisle/contract/platform-events';
import { lockAllPublishing } from '../events/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure, invalid, notFound } from '../kernel/failures/failure.ts';
import { checkUrl } from '../kernel/outbound/outbound.ts';
import { newId } from '../kernel/values/ids.ts';
import {
  deletePlatformWebhook,
  insertPlatformWebhook,
  listPlatformWebhooks,
  lockPlatformWebhook,
  type PlatformWebhookRow,
  updatePlatformSigning,
  updatePlatformWebhook,
} from './platform-queries.ts';
import { healthOfNewUrl, healthWhenDisabled, healthWhenEnabled } from './rules/endpoint-health.ts';
import { hasNewOrigin, type WebhookUrls } from './rules/urls.ts';
import { previousSecretHours, type SaveOptions } from './save-webhook.ts';
import { newSigningSecret, type Secrets } from './secrets.ts';

export type PlatformWebhookInput = {
  url: string;
  event_types: PlatformEventType[];
  description?: string | null;
  secret?: string | null;
};
export type SavedPlatformWebhook = { webhook: PlatformWebhookRow; signingSecret?: string };

/** The lock for publishing also keeps two requests from exceeding the limit together. */
export async function createPlatformWebhook(
  tx: Tx,
  input: PlatformWebhookInput,
  { guard, secrets }: SaveOptions,
): Promise<SavedPlatformWebhook> {
  rejectBadUrl(input.url, guard);
  await lockAllPublishing(tx);
  if ((await listPlatformWebhooks(tx)).length >= maxPlatformWebhooks) {
    throw new Failure('webhook_limit_reached', `The platform can have at most ${maxPlatformWebhooks} webhooks.`);
  }
  const webhookId = newId();
  const signingSecret = newSigningSecret();
  const { secret } = input;
  const sealed = typeof secret === 'string' ? secrets.sealAuthorization(webhookId, secret) : null;
  const signing = secrets.sealSigning(webhookId, signingSecret);
  return { webhook: await insertPlatformWebhook(tx, webhookId, valuesOf(input, sealed), signing), signingSecret };
}

/** Publishing is blocked until the commit, so all later deliveries go to the new URL. */
export async function changePlatformWebhook(
  tx: Tx,
  webhookId: string,
  input: PlatformWebhookInput,
  { guard, secrets, pending }: SaveOptions,
): Promise<SavedPlatformWebhook> {
  rejectBadUrl(input.url, guard);
  await lockAllPublishing(tx);
  const known = await getLocked(tx, webhookId);
  pending.wakeSenders(tx);
  const isMoved = known.url !== input.url;
  const webhook = await updatePlatformWebhook(tx, webhookId, {
    ...(isMoved ? healthOfNewUrl(known) : known),
    ...valuesOf(input, null),
    ...secrets.renew({ ...known, secret_sealed: sealedSecret(known, input, secrets) }),
    address_no: isMoved ? known.address_no + 1 : known.address_no,
  });
  return { webhook };
}

export async function removePlatformWebhook(
  tx: Tx,
  webhookId: string,
  { pending }: SaveOptions,
): Promise<SavedPlatformWebhook> {
  await lockAllPublishing(tx);
  const webhook = await getLocked(tx, webhookId);
  await deletePlatformWebhook(tx, webhookId);
  await pending.endForPlatform(tx, webhookId);
  return { webhook };
}

export async function rotatePlatformSecret(
  tx: Tx,
  webhookId: string,
  secrets: Secrets,
): Promise<{ signingSecret: string; expiresAt: Date }> {
  const { secret_sealed, signing_sealed: previous_signing_sealed } = secrets.renew(await getLocked(tx, webhookId));
  const signingSecret = newSigningSecret();
  const signing_sealed = secrets.sealSigning(webhookId, signingSecret);
  const sealed = { secret_sealed, signing_sealed, previous_signing_sealed };
  const webhook = await updatePlatformSigning(tx, webhookId, sealed, previousSecretHours);
  return { signingSecret, expiresAt: webhook.previous_signing_until as Date };
}

export async function setPlatformWebhookEnabled(
  tx: Tx,
  webhookId: string,
  isEnabled: boolean,
  { pending }: SaveOptions,
): Promise<SavedPlatformWebhook> {
  const known = await getLocked(tx, webhookId);
  if (isEnabled) pending.wakeSenders(tx);
  const health = isEnabled ? healthWhenEnabled : healthWhenDisabled(new Date());
  return { webhook: await updatePlatformWebhook(tx, webhookId, { ...known, ...health }) };
}

/** A webhook of the platform in the form of a chain's. */
export function platformUrls(url: string): WebhookUrls {
  return {
    environment: 'production',
    production_url: url,
    staging_url: null,
    staging_catalog_url: null,
    production_catalog_url: null,
  };
}

function rejectBadUrl(url: string, guard: SaveOptions['guard']): void {
  const message = checkUrl(url, guard);
  if (message !== undefined) throw invalid([{ pointer: '/url', code: 'bad_address', message }]);
}

function valuesOf({ url, event_types, description }: PlatformWebhookInput, secret_sealed: Buffer | null) {
  return { url, event_types: [...new Set(event_types)], description: description ?? null, secret_sealed };
}

/** As for a chain's webhook: the stored secret is not sent to a new origin. */
function sealedSecret(known: PlatformWebhookRow, { url, secret }: PlatformWebhookInput, secrets: Secrets) {
  if (secret === undefined) {
    return hasNewOrigin(platformUrls(known.url), platformUrls(url)) ? null : known.secret_sealed;
  }
  return secret === null ? null : secrets.sealAuthorization(known.webhook_id, secret);
}

async function getLocked(tx: Tx, webhookId: string): Promise<PlatformWebhookRow> {
  const webhook = await lockPlatformWebhook(tx, webhookId);
  if (!webhook) throw notFound('webhook_not_found', webhookId, null);
  return webhook;
}
