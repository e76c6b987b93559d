import type { ResponseBody } from '../api/operations.ts';

type Job = ResponseBody<'getCatalogJob'>;

export const jobStatuses = ['QUEUED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const satisfies Job['job_status'][];
export const jobTypes = ['CATALOG_UPDATE', 'PRODUCT_CREATION', 'CATALOG_EXPORT'] as const satisfies Job['job_type'][];
