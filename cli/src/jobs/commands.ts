import { type CatalogJob, isApiError, type JobStatus, JobError, type JobType, type PromotionJob } from '@aisle/sdk';
import { defineCommand } from '../command.ts';
import { idOf, limitOption, pageSize, storeOption, take } from '../commands/options.ts';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { styleOf } from '../terminal/paint.ts';
import { count } from '../terminal/text.ts';
import { saveDownload, writeDownload } from './downloads.ts';

const jobArgument = { name: '<job>', description: 'the id of the job' };
const statuses = ['QUEUED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const satisfies JobStatus[];
const types = ['CATALOG_UPDATE', 'PRODUCT_CREATION', 'CATALOG_EXPORT'] as const satisfies JobType[];

type ListOptions = { store?: string; status?: JobStatus; type?: JobType; limit: number };

const list = defineCommand<ListOptions>({
  name: 'jobs list',
  summary: 'List catalog jobs, the newest first',
  options: [
    storeOption,
    { flags: '--status <status>', description: 'only jobs with this status', choices: statuses },
    { flags: '--type <type>', description: 'only jobs of this type', choices: types },
    limitOption,
  ],
  examples: ['jobs list', 'jobs list --status FAILED', 'jobs list --store 1001 --limit 100 --json'],
  async run(context, { store, status, type, limit }) {
    const query = { vendor_id: store, status, type, page_size: pageSize(limit) };
    const jobs = await take(context.client().listCatalogJobs.all({ query }), limit);
    context.show(jobs, () => jobsTable(context, jobs));
  },
});

const watch = defineCommand<object, [string]>({
  name: 'jobs watch',
  args: [jobArgument],
  summary: 'Wait until a job has finished',
  details:
    'Shows the progress of a catalog or promotion job until it has finished. The exit code is 1 if the job failed, and 7 if some of its items failed.',
  examples: ['jobs watch 0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4'],
  async run(context, _options, given) {
    const job_id = jobIdOf(given);
    const job = await waitForJob(context, job_id);
    context.show(job, () => ('progress' in job ? jobText(context, job) : promotionJobText(context, job)));
    if (job.job_status === 'FAILED') throw new JobError(job);
    if ('progress' in job && job.progress.failed > 0) {
      throw new CliError(`${count(job.progress.failed, 'item')} failed.`, {
        exitCode: exitCodes.partial,
        hint: `${context.command(`jobs download ${job_id}`)} shows why.`,
      });
    }
  },
});

const download = defineCommand<{ output?: string }, [string]>({
  name: 'jobs download',
  args: [jobArgument],
  summary: 'Download the result file of a job',
  details: 'Writes the result file of a catalog or promotion job to the standard output or to a file, as CSV.',
  options: [{ flags: '-o, --output <file>', description: 'the file to write' }],
  examples: [
    'jobs download 0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4',
    'jobs download 0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4 -o result.csv',
  ],
  async run(context, { output }, given) {
    const { client } = context;
    const params = { job_id: jobIdOf(given) };
    const file = await either(
      () => client().downloadCatalogJob({ params }),
      () => client().downloadPromotionJob({ params }),
    );
    if (output === undefined) return writeDownload(file, context.terminal.stdout);
    await saveDownload(file, output);
    context.show({ file: output }, () => `${context.paint('green', '✓')} Saved as ${output}.`);
  },
});

const cancel = defineCommand<object, [string]>({
  name: 'jobs cancel',
  args: [jobArgument],
  summary: 'Cancel a job that is scheduled for later',
  examples: ['jobs cancel 0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4'],
  async run(context, _options, given) {
    const job = await context.client().cancelCatalogJob({ params: { job_id: jobIdOf(given) } });
    context.show(job, () => `${context.paint('green', '✓')} Cancelled.`);
  },
});

export const jobCommands = [list, watch, download, cancel];

function jobsTable(context: Context, jobs: readonly CatalogJob[]): string {
  if (jobs.length === 0) return 'No jobs.';
  return context.table(
    [
      { title: 'JOB' },
      { title: 'TYPE', flexible: true },
      { title: 'STATUS' },
      { title: 'DONE', align: 'right', flexible: true },
      { title: 'CREATED' },
    ],
    jobs.map((job) => [
      job.job_id,
      job.dry_run ? 'PREVIEW' : job.job_type.replace('CATALOG_', ''),
      { text: job.job_status, style: styleOf(job.job_status) },
      { text: doneText(job), style: job.progress.failed > 0 ? 'red' : undefined },
      context.relative(job.created_at),
    ]),
  );
}

function doneText({ progress: { processed, total, failed } }: CatalogJob): string {
  return failed > 0 ? `${failed}/${total} failed` : `${processed}/${total}`;
}

async function waitForJob(context: Context, jobId: string): Promise<CatalogJob | PromotionJob> {
  const progress = context.progress('Running');
  const { signal } = context.terminal;
  const onProgress = (job: CatalogJob) => progress.update(job.progress.processed, job.progress.total || undefined);
  try {
    return await either<CatalogJob | PromotionJob>(
      () => context.client().waitForCatalogJob(jobId, { signal, onProgress }),
      () => context.client().waitForPromotionJob(jobId, { signal }),
    );
  } catch (error) {
    if (error instanceof JobError) return error.job;
    throw error;
  } finally {
    progress.end();
  }
}

/** A job id does not say whether it is a catalog job. */
async function either<Result>(catalog: () => Promise<Result>, promotion: () => Promise<Result>): Promise<Result> {
  try {
    return await catalog();
  } catch (error) {
    if (!isApiError(error, 'job_not_found')) throw error;
    return promotion();
  }
}

function jobText(context: Context, job: CatalogJob): string {
  const { succeeded, unchanged, failed } = job.progress;
  return context.fields([
    ['Job', job.job_id],
    ['Type', job.job_type],
    ['Status', { text: job.job_status, style: styleOf(job.job_status) }],
    ['Store', job.vendor_id],
    ['File', job.file_name],
    ['Result', `${succeeded} succeeded, ${unchanged} unchanged, ${failed} failed`],
  ]);
}

function jobIdOf(given: string): string {
  return idOf('job', given, 'aisle jobs list shows the jobs with their ids.');
}

/** Also used after a promotion has been put. */
export function promotionJobText(context: Context, job: PromotionJob): string {
  const { applied, invalid_vendors: stores, missing_skus: missing, invalid_discounted_skus: invalid } = job.result;
  const skus = (lists: Record<string, string[]>) => [...new Set(Object.values(lists).flat())];
  return context.fields([
    ['Job', job.job_id],
    ['Promotion', job.promotion_id ?? undefined],
    ['Status', { text: job.job_status, style: styleOf(job.job_status) }],
    ['Applied', `to ${count(applied, 'offer')} (a SKU in a store)`],
    ['Unknown stores', stores.join(', ')],
    ['Unknown SKUs', skus(missing).join(', ')],
    ['Rejected SKUs', skus(invalid).join(', ')],
    ['Reason', job.error],
  ]);
}
