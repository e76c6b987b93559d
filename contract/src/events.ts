import Type from 'typebox';
import { CatalogJob, jobStatuses, jobTypes } from './catalog.ts';
import { Id, OneOf } from './common.ts';

/** A job has ended. Each pair (`status`, `job_status`; …) carries one value under both names. */
export const JobEvent = Type.Object({
  job_id: Id,
  job_type: OneOf(jobTypes),
  status: OneOf(jobStatuses),
  job_status: OneOf(jobStatuses),
  platform_vendor_id: Type.Optional(Type.String()),
  vendor_id: Type.Optional(Type.String()),
  chain_id: Id,
  downloadURL: Type.Optional(Type.String()),
  download_url: Type.Optional(Type.String()),
  progress: CatalogJob.properties.progress,
  result: CatalogJob.properties.result,
  error: Type.Optional(Type.String()),
});

/** Every event: its type and the shape of its body. */
export const events = {
  'catalog.job_finished': { summary: 'A catalog update or a product creation has ended.', body: JobEvent },
  'catalog.export_finished': { summary: 'An export has ended.', body: JobEvent },
} as const;

export type EventType = keyof typeof events;
