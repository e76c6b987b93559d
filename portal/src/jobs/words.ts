import type { Answer } from '../api/operations.ts';

type Job = Answer<'getCatalogJob'>;

export const jobStatuses = ['QUEUED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const satisfies Job['job_status'][];
export const jobTypes = ['CATALOG_UPDATE', 'PRODUCT_CREATION', 'CATALOG_EXPORT'] as const satisfies Job['job_type'][];
