import { type catalogRoutes, creationLogColumns, exportColumns, logColumns } from '@aisle/contract/catalog';
import { Failure } from '../kernel/failure.ts';
import type { Handlers } from '../kernel/http.ts';
import { paged, pageOf } from '../kernel/page.ts';
import { type Downloads, jobAnswer, jobAnswers } from './answer.ts';
import { chooseForm, streamFile } from './download.ts';
import { countJobs, findJob, type JobRow, type JobType, listJobs } from './queries.ts';

type JobRoutes = Pick<typeof catalogRoutes, 'listCatalogJobs' | 'getCatalogJob' | 'downloadCatalogJob'>;

/** As much of the caller's rights as jobs need to know. */
type JobAccess = { chainId: string; actor: { vendorIds: readonly string[] | null } };

export function jobHandlers(downloads: Downloads): Handlers<JobRoutes, JobAccess> {
  return {
    async listCatalogJobs({ db, access, query }) {
      const page = pageOf(query);
      const rows = await listJobs(db, access.chainId, access.actor.vendorIds, query, page);
      const total = await countJobs(db, access.chainId, access.actor.vendorIds, query);
      return { status: 200, body: paged('jobs', await jobAnswers(db, access.chainId, rows, downloads), total, page) };
    },

    async getCatalogJob({ db, access, params }) {
      const job = await findJob(db, access.chainId, access.actor.vendorIds, params.job_id);
      if (!job) throw new Failure('job_not_found');
      return { status: 200, body: await jobAnswer(db, access.chainId, job, downloads) };
    },

    async downloadCatalogJob({ db, access, params, headers }) {
      const job = await findJob(db, access.chainId, access.actor.vendorIds, params.job_id);
      if (!job) throw new Failure('job_not_found');
      refuseWithoutFile(job);
      const form = chooseForm(headers.accept);
      const name = `${job.type.toLowerCase()}-${job.job_id}.${extensions[form]}`;
      return {
        status: 200,
        stream: streamFile(db, access.chainId, job.job_id, fileColumns[job.type], form),
        headers: {
          'content-type': `${form}; charset=utf-8`,
          'content-disposition': `attachment; filename="${name}"`,
          'cache-control': 'private, no-store',
        },
      };
    },
  };
}

const extensions = { 'text/csv': 'csv', 'application/json': 'json', 'application/x-ndjson': 'ndjson' };

const fileColumns: Record<JobType, readonly string[]> = {
  CATALOG_UPDATE: logColumns,
  PRODUCT_CREATION: creationLogColumns,
  CATALOG_EXPORT: exportColumns,
};

function refuseWithoutFile(job: JobRow): void {
  if (job.file_expires_at === null) throw new Failure('file_not_found');
  if (job.file_expires_at.getTime() <= Date.now()) throw new Failure('download_expired');
}
