import { bindOperations } from './bind.ts';
import { consumeEvents, type ConsumeOptions } from './consume-events.ts';
import type { CatalogJob, EventType, JobAccepted, ProductUpdate, PromotionJob } from './generated/models.ts';
import type { Operations } from './generated/operations.ts';
import { partnerOperations } from './generated/partner-operations.ts';
import { platformOperations } from './generated/platform-operations.ts';
import { waitForJob } from './jobs.ts';
import type { ClientOptions, FinishedOptions } from './options.ts';
import { type CatalogPush, type PushClient, type PushOptions, pushRows } from './push-catalog.ts';
import { createRequester, type Requester } from './request.ts';

/** One function per operation of the API, and what integrations need on top of it. */
export interface AisleClient extends Operations {
  /** Follows the event feed, in order and without losing an event. */
  consumeEvents<Type extends EventType = EventType>(options: ConsumeOptions<Type>): Promise<void>;
  /** Updates any number of products of a store with jobs, without holding all of them in memory. */
  pushCatalog(rows: AsyncIterable<ProductUpdate> | Iterable<ProductUpdate>, options: PushOptions): CatalogPush;
  /** Waits until a catalog job has finished, for example one of the jobs of an uploaded file. */
  waitForCatalogJob(jobId: string, options?: FinishedOptions<CatalogJob>): Promise<CatalogJob>;
  waitForPromotionJob(jobId: string, options?: FinishedOptions<PromotionJob>): Promise<PromotionJob>;
}

/** Creates a client. It sends no request before the first call. */
export function createClient(options: ClientOptions): AisleClient {
  const requester = createRequester(options);
  const operations = bindOperations(requester, { ...partnerOperations, ...platformOperations });
  const waitForCatalogJob: AisleClient['waitForCatalogJob'] = (job_id, waiting) =>
    waitForJob((signal) => operations.getCatalogJob({ params: { job_id } }, { signal }), waiting);
  return {
    ...operations,
    consumeEvents: (consuming) => consumeEvents(operations, consuming),
    pushCatalog: (rows, pushing) => pushRows(pushClient(operations, requester), rows, pushing),
    waitForCatalogJob,
    waitForPromotionJob: (job_id, waiting) =>
      waitForJob((signal) => operations.getPromotionJob({ params: { job_id } }, { signal }), waiting),
  };
}

function pushClient(operations: Operations, requester: Requester): PushClient {
  return {
    getLimits: (options) => operations.getLimits({}, options),
    async accept({ bytes, isCompressed }, { vendorId, chainId, dryRun, signal }) {
      const { data } = await requester.request(
        partnerOperations.updateCatalog,
        {
          params: { vendor_id: vendorId, chain_id: chainId },
          query: { dry_run: dryRun },
          body: { encoded: bytes, isCompressed },
        },
        // Without it, a chunk with a single row would be applied at once instead of by a job.
        { signal, headers: { prefer: 'respond-async' } },
      );
      return (data as JobAccepted).job_id;
    },
    waitForJob: (job_id, { chainId, signal, pollMs }) =>
      waitForJob((inner) => operations.getCatalogJob({ params: { job_id, chain_id: chainId } }, { signal: inner }), {
        signal,
        pollMs,
      }),
  };
}
