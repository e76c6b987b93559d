import { lockPublishing } from '../events/index.ts';
import type { AddressGuard } from '../kernel/outbound/addresses.ts';
import type { Tx } from '../kernel/database/db.ts';
import { Failure, invalid } from '../kernel/failures/failure.ts';
import { newId } from '../kernel/values/ids.ts';
import { judgeUrl } from '../kernel/outbound/outbound.ts';
import { exhaustDeliveries, moveDeliveries } from './delivery-queries.ts';
import { lockChainLanes } from './lane-queries.ts';
import {
  countAddress,
  deleteWebhook,
  type EndpointRow,
  insertEndpoint,
  insertWebhook,
  listEndpoints,
  lockWebhook,
  updateHealth,
  updateSigningSecret,
  updateWebhook,
  type WebhookRow,
} from './queries.ts';
import { addressOf, type Addresses, judgeAddresses, type Topic } from './rules/address.ts';
import { type Health, healthOfNewAddress } from './rules/endpoint-health.ts';
import { newSigningSecret, type Secrets } from './secrets.ts';

export type WebhookInput = Partial<Addresses> & Pick<Addresses, 'environment'> & { secret?: string | null };
export type SavedWebhook = { webhook: WebhookRow; endpoints: EndpointRow[]; signingSecret?: string };

const topics: readonly Topic[] = ['orders', 'catalog'];
const previousSecretHours = 24;

/** Makes or replaces a webhook. Nothing is published meanwhile, so that every delivery goes where it now belongs. */
export async function saveWebhook(
  tx: Tx,
  chainId: string,
  vendorId: string | null,
  input: WebhookInput,
  { guard, secrets }: { guard: AddressGuard; secrets: Secrets },
): Promise<SavedWebhook> {
  const addresses = addressesOf(input);
  const faults = judgeAddresses(addresses, (url) => judgeUrl(url, guard));
  if (faults.length > 0) throw invalid(faults);
  await lockPublishing(tx);
  const known = await lockWebhook(tx, chainId, vendorId);
  if (!known) return createWebhook(tx, chainId, vendorId, addresses, input.secret, secrets);
  const secret = sealedSecret(known, input.secret, secrets);
  const webhook = await updateWebhook(tx, chainId, known.webhook_id, { ...addresses, secret_sealed: secret });
  await welcomeNewAddresses(tx, chainId, known, webhook);
  return { webhook, endpoints: await listEndpoints(tx, chainId, known.webhook_id) };
}

export async function removeWebhook(tx: Tx, chainId: string, vendorId: string | null): Promise<SavedWebhook> {
  await lockPublishing(tx);
  const webhook = await lockWebhook(tx, chainId, vendorId);
  if (!webhook) throw new Failure('webhook_not_found');
  const endpoints = await listEndpoints(tx, chainId, webhook.webhook_id);
  await lockChainLanes(tx, chainId);
  await exhaustDeliveries(
    tx,
    chainId,
    endpoints.map((endpoint) => endpoint.endpoint_id),
  );
  await deleteWebhook(tx, chainId, webhook.webhook_id);
  return { webhook, endpoints };
}

export async function rotateSecret(
  tx: Tx,
  chainId: string,
  vendorId: string | null,
  secrets: Secrets,
): Promise<{ signingSecret: string; expiresAt: Date }> {
  const known = await lockWebhook(tx, chainId, vendorId);
  if (!known) throw new Failure('webhook_not_found');
  const signingSecret = newSigningSecret();
  const sealed = secrets.sealSigning(known.webhook_id, signingSecret);
  const webhook = await updateSigningSecret(tx, chainId, known.webhook_id, sealed, previousSecretHours);
  return { signingSecret, expiresAt: webhook.previous_signing_until as Date };
}

/** Switches both ends on or off. */
export async function switchWebhook(
  tx: Tx,
  chainId: string,
  vendorId: string | null,
  health: Health,
): Promise<SavedWebhook> {
  const webhook = await lockWebhook(tx, chainId, vendorId);
  if (!webhook) throw new Failure('webhook_not_found');
  for (const endpoint of await listEndpoints(tx, chainId, webhook.webhook_id)) {
    await updateHealth(tx, chainId, endpoint.endpoint_id, health);
  }
  return { webhook, endpoints: await listEndpoints(tx, chainId, webhook.webhook_id) };
}

function addressesOf(input: WebhookInput): Addresses {
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
  addresses: Addresses,
  secret: string | null | undefined,
  secrets: Secrets,
): Promise<SavedWebhook> {
  const webhookId = newId();
  const signingSecret = newSigningSecret();
  const webhook = await insertWebhook(tx, chainId, {
    ...addresses,
    webhook_id: webhookId,
    vendor_id: vendorId,
    secret_sealed: typeof secret === 'string' ? secrets.sealAuthorization(webhookId, secret) : null,
    signing_sealed: secrets.sealSigning(webhookId, signingSecret),
  });
  for (const topic of topics) await insertEndpoint(tx, chainId, { endpoint_id: newId(), webhook_id: webhookId, topic });
  const endpoints = await listEndpoints(tx, chainId, webhookId);
  if (vendorId !== null) await takeOver(tx, chainId, vendorId, endpoints);
  return { webhook, endpoints, signingSecret };
}

/** What waits for the chain's webhook and is of this vendor. */
async function takeOver(tx: Tx, chainId: string, vendorId: string, endpoints: EndpointRow[]): Promise<void> {
  await lockChainLanes(tx, chainId);
  for (const { topic, endpoint_id } of endpoints) {
    await moveDeliveries(tx, chainId, vendorId, topic === 'catalog', endpoint_id);
  }
}

/** Absent keeps it, null clears it. */
function sealedSecret(known: WebhookRow, secret: string | null | undefined, secrets: Secrets): Buffer | null {
  if (secret === undefined) return known.secret_sealed;
  return secret === null ? null : secrets.sealAuthorization(known.webhook_id, secret);
}

async function welcomeNewAddresses(tx: Tx, chainId: string, before: Addresses, webhook: WebhookRow): Promise<void> {
  for (const endpoint of await listEndpoints(tx, chainId, webhook.webhook_id)) {
    if (addressOf(before, endpoint.topic) === addressOf(webhook, endpoint.topic)) continue;
    await countAddress(tx, chainId, endpoint.endpoint_id);
    await updateHealth(tx, chainId, endpoint.endpoint_id, healthOfNewAddress(endpoint));
  }
}
