import { setTimeout as sleep } from 'node:timers/promises';
import { type AisleClient, createClient, isApiError, scopes } from '@aisle/sdk';
import { CliError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { userAgent } from '../version.ts';
import type { Chain } from './world/chain.ts';
import type { History } from './world/history.ts';
import { productsOf } from './world/products.ts';
import type { Receivers } from './world/receivers.ts';
import { storesOf } from './world/stores.ts';
import type { ChainPlan, World } from './world/world.ts';

/** Where the simulation runs, and the token that creates chains and places orders. */
export type Platform = { url: string; token: string };

/** A chain with a client that has its token. */
export type ManagedChain = Chain & { client: AisleClient };

/** Creates the chains with their stores and tokens, but without products. */
export async function createChains({ url, token }: Platform, world: World, seed: number): Promise<ManagedChain[]> {
  const headers = { 'user-agent': userAgent };
  const platform = createClient({ baseUrl: url, token, headers });
  const create = async (plan: ChainPlan): Promise<ManagedChain> => {
    const name = `Simulation ${seed} ${plan.tag}`;
    const { chain_id } = await platform.platformCreateChain({
      body: { name, profile: plan.profile, country_code: 'AE' },
    });
    const params = { chain_id };
    const vendors: string[] = [];
    for (const body of storesOf(plan)) {
      vendors.push((await platform.platformCreateVendor({ params, body })).vendor_id);
    }
    const created = await platform.platformCreateToken({ params, body: { name, scopes: [...scopes] } });
    const client = createClient({ baseUrl: url, token: created.token, chainId: chain_id, headers });
    return { ...plan, chainId: chain_id, token: created.token, base: `/v2/chains/${chain_id}`, vendors, client };
  };
  return Promise.all(world.chains.map(create));
}

/** Sets the webhook of every chain to its receiver. */
export async function setWebhooks(chains: ManagedChain[], receivers: Receivers): Promise<void> {
  for (const { tag, client } of chains) {
    const url = receivers.urlOf(tag);
    const body = { environment: 'production', production_url: url, production_catalog_url: url } as const;
    await client.putWebhook({ body }).catch((error: unknown) => {
      if (!isApiError(error, 'invalid_request')) throw error;
      throw new CliError(`The server cannot send webhooks to ${url}: ${error.problem.detail}`, {
        hint: 'Start the server with AISLE_WEBHOOK_ALLOW=loopback (or the network of --receiver-host).',
      });
    });
  }
}

/** Creates the products of every store with one job each, and records the jobs in the history. */
export async function createProducts(
  chains: ManagedChain[],
  history: History,
  elapsedMs: () => number,
  signal: AbortSignal,
): Promise<void> {
  const stores = chains.flatMap((chain) => chain.vendors.map((vendor_id) => ({ chain, vendor_id })));
  const create = async ({ chain, vendor_id }: (typeof stores)[number]) => {
    const startedAt = elapsedMs();
    const body = { products: productsOf(chain) };
    const job = chain.client.createStoreProducts({ params: { vendor_id }, body }, { signal });
    const accepted = await job;
    const jobId = 'job_id' in accepted ? accepted.job_id : undefined;
    history.operations.push({
      id: `${chain.tag}-create-${vendor_id}`,
      chain: chain.tag,
      kind: 'create',
      startedAt,
      endedAt: elapsedMs(),
      attempts: 1,
      outcome: 'acknowledged',
      result: { status: 202, ...(jobId !== undefined && { jobId }) },
    });
    await job.finished({ signal });
  };
  await Promise.all(stores.map(create));
}

const maxArrivalSeconds = 30;

/** The jobs have sent events. If none arrives, the server cannot reach this computer. */
export async function waitForArrival({ arrivals }: History, receivers: Receivers, signal: AbortSignal): Promise<void> {
  for (let waited = 0; arrivals.length === 0 && !signal.aborted; waited += 0.1) {
    if (waited > maxArrivalSeconds) {
      throw new CliError(`No webhook arrived at ${receivers.urlOf('')} within ${maxArrivalSeconds} s.`, {
        exitCode: exitCodes.unavailable,
        hint: 'Is a worker running, and can the server reach this computer? See --receiver-host.',
      });
    }
    await sleep(100);
  }
}
