import { AisleError } from './errors.ts';
import { createDownload, type Download, readRows } from './downloads.ts';
import type { Operations } from './generated/operations.ts';
import type { CatalogJob, PromotionJob } from './generated/models.ts';
import { waitForJob } from './jobs.ts';
import { itemsOf, readPages } from './lists.ts';
import type { ApiResponse, OperationRow, OperationTable } from './operation.ts';
import type { FinishedOptions, RequestOptions } from './options.ts';
import type { Requester, RequestInput } from './request.ts';

type Call<Result> = (input?: RequestInput, options?: RequestOptions) => Result;

/** Turns the rows of the table into functions. */
export function bindOperations(requester: Requester, table: OperationTable): Operations {
  const readJob = (row: OperationRow, input: RequestInput, jobId: string, options?: RequestOptions) => {
    const job = table[row.job ?? ''];
    if (!job) throw new Error('The operation has no job.');
    const params = { ...input.params, job_id: jobId };
    return requester.request(job, { params }, options).then(({ data }) => data as CatalogJob | PromotionJob);
  };
  const bind = (row: OperationRow) => {
    if (row.download) return bindDownload(requester, row);
    const withResponse: Call<Promise<ApiResponse<unknown>>> = (input, options) =>
      requester.request(row, input, options);
    const call: Call<Promise<unknown>> = (input, options) => withResponse(input, options).then(({ data }) => data);
    if (row.list) return Object.assign(call, { withResponse, ...bindList(row.list, call) });
    if (row.job) return Object.assign(bindJob(row, call, readJob), { withResponse });
    return Object.assign(call, { withResponse });
  };
  const bound = Object.entries(table).map(([id, row]) => [id, bind(row)]);
  return Object.fromEntries(bound) as Operations;
}

function bindList(list: NonNullable<OperationRow['list']>, call: Call<Promise<unknown>>) {
  const pages = (input: RequestInput = {}, options?: RequestOptions) =>
    readPages(list, input, (next) => call(next, options));
  return {
    pages,
    async *all(input?: RequestInput, options?: RequestOptions) {
      for await (const page of pages(input, options)) yield* itemsOf(list, page);
    },
  };
}

function bindJob(
  row: OperationRow,
  call: Call<Promise<unknown>>,
  readJob: (
    row: OperationRow,
    input: RequestInput,
    jobId: string,
    options?: RequestOptions,
  ) => Promise<CatalogJob | PromotionJob>,
) {
  return (input: RequestInput = {}, options?: RequestOptions) => {
    const accepted = call(input, options);
    const finished = async (waiting: FinishedOptions<CatalogJob | PromotionJob> = {}) => {
      const response = (await accepted) as { job_id?: string } | null;
      if (response === null) throw new AisleError('The response is empty instead of a job.');
      // The update of a single product is applied at once, so there is no job.
      if (response.job_id === undefined) return response;
      const jobId = response.job_id;
      return waitForJob((signal) => readJob(row, input, jobId, { ...options, signal: signal ?? options?.signal }), {
        ...waiting,
        signal: waiting.signal ?? options?.signal,
      });
    };
    return Object.assign(accepted, { finished });
  };
}

function bindDownload(requester: Requester, row: OperationRow) {
  const call: Call<Promise<Download>> = (input = {}, options = {}) =>
    requester.exchange(row, input, options, async (response, timeoutMs, signal) =>
      createDownload(response, timeoutMs, signal),
    );
  return Object.assign(call, {
    async *rows(input?: RequestInput, options: RequestOptions = {}) {
      const headers = { ...options.headers, accept: 'application/x-ndjson' };
      yield* readRows(await call(input, { ...options, headers }));
    },
  });
}
