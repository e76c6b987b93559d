import { lockPublishing } from '../events/index.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import type { AddressGuard } from '../kernel/outbound/addresses.ts';
import { checkUrl } from '../kernel/outbound/outbound.ts';
import { newId } from '../kernel/values/ids.ts';
import {
  deleteWebhook,
  type EndpointRow,
  findWebhook,
  incrementAddressNo,
  insertEndpoint,
  insertWebhook,
  listEndpoints,
  lockEndpoints,
  lockWebhook,
  updateHealth,
  updateSigningSecret,
  updateWebhook,
  type WebhookRow,
} from './queries.ts';
import { urlFor, type WebhookUrls, checkUrls, hasNewOrigin, type Topic } from './rules/urls.ts';
import { type Health, healthOfNewUrl, healthWhenDisabled, healthWhenEnabled } from './rules/endpoint-health.ts';
import { newSigningSecret, type Secrets } from './secrets.ts';

export type WebhookInput = Partial<WebhookUrls> & Pick<WebhookUrls, 'environment'> & { secret?: string | null };
export type SavedWebhook = { webhook: WebhookRow; endpoints: EndpointRow[]; signingSecret?: string };

/** Updates pending deliveries when their webhook changes; implemented by the `deliveries` feature. */
export type PendingDeliveries = {
  /** Starts to move the vendor's pending deliveries from the chain's endpoints to its own. */
  move(tx: Tx, chainId: string, vendorId: string, from: EndpointRow[], to: EndpointRow[]): Promise<void>;
  /** Starts to give up on the pending deliveries to these endpoints, which are being deleted. */
  end(tx: Tx, chainId: string, endpoints: EndpointRow[]): Promise<void>;
  /** Starts to give up on the pending deliveries, in all chains, to a webhook of the platform that is being deleted. */
  endForPlatform(tx: Tx, webhookId: string): Promise<void>;
  /** Makes senders poll for due deliveries, in all chains by default, as soon as the transaction is committed. */
  wakeSenders(tx: Tx, chainId?: string): void;
};

export type SaveOptions = { guard: AddressGuard; secrets: Secrets; pending: PendingDeliveries };

const topics: readonly Topic[] = ['orders', 'catalog'];
export const previousSecretHours = 24;

/**
 * Creates or replaces a webhook. Publishing is blocked until the commit, so all later deliveries go to the new URL. That
 * can stop the events of all chains, so the work until then must not depend on the number of deliveries.
 */
export async function saveWebhook(
  tx: Tx,
  chainId: string,
  vendorId: string | null,
  input: WebhookInput,
  options: SaveOptions,
): Promise<SavedWebhook> {
  const urls = urlsOf(input);
  const errors = checkUrls(urls, (url) => checkUrl(url, options.guard));
  if (errors.length > 0) throw invalid(errors);
  await lockPublishing(tx, chainId);
  options.pending.wakeSenders(tx, chainId);
  const known = await lockWebhook(tx, chainId, vendorId);
  if (!known) return createWebhook(tx, chainId, vendorId, urls, input.secret, options);
  const secret_sealed = sealedSecret(known, urls, input.secret, options.secrets);
  // An operator who replaces the key can give up the old one when every webhook has been configured again.
  const sealed = options.secrets.renew({ ...known, secret_sealed });
  const webhook = await updateWebhook(tx, chainId, known.webhook_id, { ...urls, ...sealed });
  await resetChangedEndpoints(tx, chainId, known, webhook);
  return { webhook, endpoints: await listEndpoints(tx, chainId, known.webhook_id) };
}

/** Deletes a webhook. Under the lock for publishing, the work must be as little as in `saveWebhook`. */
export async function removeWebhook(
  tx: Tx,
  chainId: string,
  vendorId: string | null,
  pending: PendingDeliveries,
): Promise<SavedWebhook> {
  await lockPublishing(tx, chainId);
  const webhook = await getLocked(tx, chainId, vendorId);
  const endpoints = await listEndpoints(tx, chainId, webhook.webhook_id);
  await deleteWebhook(tx, chainId, webhook.webhook_id);
  await pending.end(tx, chainId, endpoints);
  return { webhook, endpoints };
}

export async function rotateSecret(
  tx: Tx,
  chainId: string,
  vendorId: string | null,
  secrets: Secrets,
): Promise<{ signingSecret: string; expiresAt: Date }> {
  const known = await getLocked(tx, chainId, vendorId);
  const signingSecret = newSigningSecret();
  const signing_sealed = secrets.sealSigning(known.webhook_id, signingSecret);
  const { secret_sealed, signing_sealed: previous_signing_sealed } = secrets.renew(known);
  const sealed = { secret_sealed, signing_sealed, previous_signing_sealed };
  const webhook = await updateSigningSecret(tx, chainId, known.webhook_id, sealed, previousSecretHours);
  return { signingSecret, expiresAt: webhook.previous_signing_until as Date };
}

export async function enableWebhook(
  tx: Tx,
  chainId: string,
  vendorId: string | null,
  pending: PendingDeliveries,
): Promise<SavedWebhook> {
  pending.wakeSenders(tx, chainId);
  return setHealth(tx, chainId, vendorId, healthWhenEnabled);
}

export function disableWebhook(tx: Tx, chainId: string, vendorId: string | null, now: Date): Promise<SavedWebhook> {
  return setHealth(tx, chainId, vendorId, healthWhenDisabled(now));
}

export function webhookNotFound(vendorId: string | null): Failure {
  const owner = vendorId === null ? 'This chain' : `The vendor ${vendorId}`;
  return new Failure('webhook_not_found', `${owner} has no webhook.`);
}

function urlsOf(input: WebhookInput): WebhookUrls {
  return {
    environment: input.environment,
    staging_url: input.staging_url ?? null,
    production_url: input.production_url ?? null,
    staging_catalog_url: input.staging_catalog_url ?? null,
    production_catalog_url: input.production_catalog_url ?? null,
  };
}

async function createWebhook(
  tx: Tx,
  chainId: string,
  vendorId: string | null,
  urls: WebhookUrls,
  secret: string | null | undefined,
  { secrets, pending }: SaveOptions,
): Promise<SavedWebhook> {
  const webhookId = newId();
  const signingSecret = newSigningSecret();
  const webhook = await insertWebhook(tx, chainId, {
    ...urls,
    webhook_id: webhookId,
    vendor_id: vendorId,
    secret_sealed: typeof secret === 'string' ? secrets.sealAuthorization(webhookId, secret) : null,
    signing_sealed: secrets.sealSigning(webhookId, signingSecret),
  });
  for (const topic of topics) await insertEndpoint(tx, chainId, { endpoint_id: newId(), webhook_id: webhookId, topic });
  const endpoints = await listEndpoints(tx, chainId, webhookId);
  const replaced = vendorId === null ? undefined : await findWebhook(tx, chainId, null);
  if (vendorId !== null && replaced) {
    // A delivery that is being resent to these endpoints must be pending before the task reads which ones are.
    await pending.move(tx, chainId, vendorId, await lockEndpoints(tx, chainId, replaced.webhook_id), endpoints);
  }
  return { webhook, endpoints, signingSecret };
}

/**
 * If the secret is absent, the stored one is kept, unless it would be sent to a new origin: a caller who does not know
 * the secret could otherwise have it sent to a server of its own. Null clears it.
 */
function sealedSecret(
  known: WebhookRow,
  urls: WebhookUrls,
  secret: string | null | undefined,
  secrets: Secrets,
): Buffer | null {
  if (secret === undefined) return hasNewOrigin(known, urls) ? null : known.secret_sealed;
  return secret === null ? null : secrets.sealAuthorization(known.webhook_id, secret);
}

async function resetChangedEndpoints(tx: Tx, chainId: string, before: WebhookUrls, webhook: WebhookRow): Promise<void> {
  for (const endpoint of await listEndpoints(tx, chainId, webhook.webhook_id)) {
    if (urlFor(before, endpoint.topic) === urlFor(webhook, endpoint.topic)) continue;
    await incrementAddressNo(tx, chainId, endpoint.endpoint_id);
    await updateHealth(tx, chainId, endpoint.endpoint_id, healthOfNewUrl(endpoint));
  }
}

async function getLocked(tx: Tx, chainId: string, vendorId: string | null): Promise<WebhookRow> {
  const webhook = await lockWebhook(tx, chainId, vendorId);
  if (!webhook) throw webhookNotFound(vendorId);
  return webhook;
}

/** Sets the health of both endpoints. */
async function setHealth(tx: Tx, chainId: string, vendorId: string | null, health: Health): Promise<SavedWebhook> {
  const webhook = await getLocked(tx, chainId, vendorId);
  for (const endpoint of await listEndpoints(tx, chainId, webhook.webhook_id)) {
    await updateHealth(tx, chainId, endpoint.endpoint_id, health);
  }
  return { webhook, endpoints: await listEndpoints(tx, chainId, webhook.webhook_id) };
}
