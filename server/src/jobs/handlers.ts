import { type jobRoutes, jobTypes } from '@aisle/contract/jobs';
import type { Db } from '../kernel/database/db.ts';
import { notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { jobResponse, jobResponses } from './response.ts';
import { fileResponse } from './download.ts';
import { countJobs, findJob, listJobs } from './queries.ts';
import { resultRow } from './result-row.ts';
import type { Downloads } from './signed-url.ts';

/** The part of the caller's access that jobs need. */
type JobActor = { vendorIds: readonly string[] | null };
type JobAccess = { chainId: string; actor: JobActor };

/** Finds the vendor that a request refers to, or fails. Passed in, so that this feature does not depend on vendors. */
export type GetVendor = (db: Db, chainId: string, actor: JobActor, id: string) => Promise<{ vendor_id: string }>;

export function jobHandlers(downloads: Downloads, getVendor: GetVendor): Handlers<typeof jobRoutes, JobAccess> {
  return {
    async listCatalogJobs({ db, access, query }) {
      const page = pageOf(query);
      const vendor = query.vendor_id && (await getVendor(db, access.chainId, access.actor, query.vendor_id));
      const filter = {
        status: query.status,
        types: query.type === undefined ? jobTypes : [query.type],
        vendorId: vendor ? vendor.vendor_id : undefined,
      };
      const rows = await listJobs(db, access.chainId, access.actor.vendorIds, filter, page);
      const total = await countJobs(db, access.chainId, access.actor.vendorIds, filter);
      return { status: 200, body: paged('jobs', await jobResponses(db, access.chainId, rows, downloads), total, page) };
    },

    async getCatalogJob({ db, access, params }) {
      const job = await findJob(db, access.chainId, access.actor.vendorIds, jobTypes, params.job_id);
      if (!job) throw notFound('job_not_found', params.job_id);
      return { status: 200, body: await jobResponse(db, access.chainId, job, downloads) };
    },

    async downloadCatalogJob({ db, access, params, headers }) {
      const job = await findJob(db, access.chainId, access.actor.vendorIds, jobTypes, params.job_id);
      if (!job) throw notFound('job_not_found', params.job_id);
      return fileResponse(db, access.chainId, job, resultRow(job), headers);
    },
  };
}
