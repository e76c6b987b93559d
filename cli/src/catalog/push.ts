import { basename, extname } from 'node:path';
import { type CatalogJob, isApiError, JobError } from '@aisle/sdk';
import { type Context, storeOf } from '../context.ts';
import { UsageError } from '../errors.ts';
import { saveDownload } from '../jobs/downloads.ts';
import { type FileFormat, formatOf, readCatalogFile } from './read-rows.ts';

export type PushOptions = {
  store?: string;
  all?: boolean;
  format?: FileFormat;
  sheet?: string;
  force?: boolean;
  applyAt?: string;
};

export type Pushed = { fileId: string; isRepeat: boolean; jobs: CatalogJob[] };

/** Uploads the file and waits until its jobs have finished. */
export async function pushFile(
  context: Context,
  path: string,
  options: PushOptions,
  isPreview: boolean,
): Promise<Pushed> {
  if (options.all && options.store !== undefined) throw new UsageError('Use either --store or --all, not both.');
  const folder = `/catalog/${options.all ? 'all' : storeOf(context, options.store)}`;
  const body = await readCatalogFile(path, options.format ?? formatOf(path), options.sheet);
  const name = nameOf(path, options, context.terminal.now());
  const query = { folder, name, apply_at: options.applyAt, ...(isPreview && { dry_run: true }) };
  const client = context.client();
  const { file_id: fileId, job_ids, is_repeat: isRepeat } = await client.uploadFile({ query, body });
  const jobs = options.applyAt
    ? await Promise.all(job_ids.map((job_id) => client.getCatalogJob({ params: { job_id } })))
    : await waitForJobs(context, job_ids, isPreview ? 'Checking' : 'Applying');
  return { fileId, isRepeat, jobs };
}

/** Shows the progress of all jobs together. */
async function waitForJobs(context: Context, jobIds: readonly string[], label: string): Promise<CatalogJob[]> {
  const progress = context.progress(label);
  const latest = new Map<string, CatalogJob['progress']>();
  const sum = (field: keyof CatalogJob['progress']) =>
    [...latest.values()].reduce((total, counts) => total + counts[field], 0);
  const onProgress = (job: CatalogJob) => {
    latest.set(job.job_id, job.progress);
    const failed = sum('failed');
    progress.update(sum('processed'), sum('total') || undefined, failed > 0 ? `${failed} failed` : '');
  };
  const { signal } = context.terminal;
  try {
    return await Promise.all(
      jobIds.map((id) =>
        context.client().waitForCatalogJob(id, { onProgress, signal, pollMs: 1000 }).catch(jobOfFailedRows),
      ),
    );
  } finally {
    progress.end();
  }
}

/** Its rows are reported like the failed rows of other jobs. */
function jobOfFailedRows(error: unknown): CatalogJob {
  if (error instanceof JobError && error.hasOnlyFailedRows) return error.job as CatalogJob;
  throw error;
}

/** Writes the failed rows next to the file. Undefined if there are none. */
export async function saveFailedRows(
  context: Context,
  fileId: string,
  path: string,
  target: string | undefined,
): Promise<string | undefined> {
  const output = target ?? `${path.slice(0, path.length - extname(path).length)}.failed.csv`;
  try {
    await saveDownload(await context.client().downloadFailedRows({ params: { file_id: fileId } }), output);
    return output;
  } catch (error) {
    if (isApiError(error, 'file_not_found')) return undefined;
    throw error;
  }
}

/** A new name makes the server apply a file again that it has already applied. */
function nameOf(path: string, { force }: PushOptions, now: Date): string {
  const name = basename(path).replace(/\.(json|ndjson|jsonl|xlsx|xlsm)$/i, '.csv');
  return force ? name.replace(/(\.\w+)?$/, `.${now.getTime()}$1`) : name;
}
