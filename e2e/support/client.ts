import assert from 'node:assert/strict';
import {
  type AisleClient,
  type ApiResponse,
  type CatalogJob,
  createClient,
  isApiError,
  type JobAccepted,
  type Product,
} from '@aisle/sdk';
import { patience } from '../../server/test/support/wait.ts';

/**
 * A client of a running server, for tests, benchmarks and simulations. It uses the SDK as an integration does, but does
 * not repeat requests, because a test decides itself what a failure means. docs/how-to/run-the-tests.md lists where raw
 * requests are sent instead, and why.
 */
export function clientOf({ url }: { url: string }, { token, chainId }: ClientCredentials): AisleClient {
  return createClient({ baseUrl: url, token, chainId, retries: 0, timeoutMs: 60_000 });
}

/** A chain, or the platform, which needs no chain. */
export type ClientCredentials = { token: string; chainId?: string };

/** The status of the response, also of one that reports an error. */
export async function statusOf(response: Promise<Pick<ApiResponse<unknown>, 'status'>>): Promise<number> {
  try {
    return (await response).status;
  } catch (error) {
    if (isApiError(error)) return error.status;
    throw error;
  }
}

/** The id of the job that an update was accepted as. */
export function jobIdOf(response: Product | JobAccepted): string {
  assert.ok('job_id' in response, 'the update was applied without a job');
  return response.job_id;
}

/** Waits until a catalog job is COMPLETED, and asks more often than an integration would. */
export function waitForJob(client: AisleClient, jobId: string, seconds = 30): Promise<CatalogJob> {
  return client.waitForCatalogJob(jobId, { pollMs: 20, timeoutMs: patience * seconds * 1000 });
}
