import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { JobError, type Promotion, type PromotionJob, type PromotionRequest, type PromotionState } from '@aisle/sdk';
import { defineCommand } from '../command.ts';
import { idOf, limitOption, pageSize, storeOption, take } from '../commands/options.ts';
import type { Context } from '../context.ts';
import { CliError, UsageError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { readJsonFile } from '../files/read-text.ts';
import { promotionJobText } from '../jobs/commands.ts';
import { styleOf } from '../terminal/paint.ts';

const states = ['UPCOMING', 'RUNNING', 'ENDED', 'CANCELLED'] as const satisfies PromotionState[];

const put = defineCommand<object, [string]>({
  name: 'promotions put',
  args: [{ name: '<file>', description: 'a JSON file with the request, or a CSV file' }],
  summary: 'Create or change a promotion from a file',
  details:
    'Sends a promotion and waits until it has been applied. A JSON file contains the body of the request, a CSV file one row per SKU. A promotion with the same type, names, stores and times is changed, otherwise a new one is created.',
  examples: ['promotions put milk-days.json', 'promotions put milk-days.csv --json'],
  async run(context, _options, path) {
    const job = path.toLowerCase().endsWith('.json') ? await putJson(context, path) : await putCsv(context, path);
    await showJob(context, job);
  },
});

type ListOptions = { state?: PromotionState; store?: string; sku?: string; limit: number };

const list = defineCommand<ListOptions>({
  name: 'promotions list',
  summary: 'List promotions',
  options: [
    { flags: '--state <state>', description: 'only promotions in this state', choices: states },
    storeOption,
    { flags: '--sku <sku>', description: 'only promotions that include this SKU' },
    limitOption,
  ],
  examples: ['promotions list', 'promotions list --state RUNNING --store 1001', 'promotions list --sku MLK-00012'],
  async run(context, { state, store, sku, limit }) {
    const query = { state, vendor_id: store, sku, page_size: pageSize(limit) };
    const promotions = await take(context.client().listPromotions.all({ query }), limit);
    context.show(promotions, () => promotionsTable(context, promotions));
  },
});

const stop = defineCommand<object, [string]>({
  name: 'promotions stop',
  args: [{ name: '<promotion>', description: 'the id of the promotion' }],
  summary: 'Cancel a promotion',
  examples: ['promotions stop 0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4'],
  async run(context, _options, given) {
    const client = context.client();
    const promotion_id = idOf('promotion', given, 'aisle promotions list shows the promotions with their ids.');
    const { vendors, type, display_name, conditions } = await client.getPromotion({ params: { promotion_id } });
    const all = vendors.length === 1 && vendors[0] === '*' ? ('*' as const) : vendors;
    const body: PromotionRequest = { vendors: all, type, display_name, conditions, active: false };
    await showJob(context, client.putPromotion({ body }).finished({ signal: context.terminal.signal }));
  },
});

export const promotionCommands = [put, list, stop];

async function putJson(context: Context, path: string): Promise<PromotionJob> {
  const body = (await readJsonFile(path)) as PromotionRequest;
  return context.client().putPromotion({ body }).finished({ signal: context.terminal.signal });
}

async function putCsv(context: Context, path: string): Promise<PromotionJob> {
  const body = await openAsBlob(path).catch(() => {
    throw new UsageError(`The file ${path} does not exist or cannot be read.`);
  });
  const query = { folder: '/promotions', name: basename(path) };
  const { job_ids } = await context.client().uploadFile({ query, body });
  return context.client().waitForPromotionJob(job_ids[0] ?? '', { signal: context.terminal.signal });
}

/** The API says which SKUs were not applied, also if none was and the job has failed. */
async function showJob(context: Context, running: PromotionJob | Promise<PromotionJob>): Promise<void> {
  const job = await Promise.resolve(running).catch((error: unknown) => {
    if (error instanceof JobError) return error.job as PromotionJob;
    throw error;
  });
  context.show(job, () => promotionJobText(context, job));
  if (job.job_status === 'FAILED') throw new JobError(job);
  const { missing_skus: missing, invalid_discounted_skus: invalid, invalid_vendors: stores } = job.result;
  if (stores.length > 0 || [...Object.values(missing), ...Object.values(invalid)].some((skus) => skus.length > 0)) {
    throw new CliError('Not everything was applied.', { exitCode: exitCodes.partial });
  }
}

function promotionsTable(context: Context, promotions: readonly Promotion[]): string {
  if (promotions.length === 0) return 'No promotions.';
  return context.table(
    [{ title: 'PROMOTION' }, { title: 'STATE' }, { title: 'NAME', flexible: true }, { title: 'TIME' }],
    promotions.map(({ promotion_id, state, display_name, conditions }) => [
      promotion_id,
      { text: state, style: styleOf(state) },
      nameOf(display_name),
      timeOf(context, state, conditions),
    ]),
  );
}

/** The next change, or the last one. Both times would leave too little space for the name. */
function timeOf({ relative }: Context, state: Promotion['state'], times: Promotion['conditions']): string {
  if (state === 'UPCOMING') return `starts ${relative(times.start_time)}`;
  if (state === 'RUNNING') return `ends ${relative(times.end_time)}`;
  return state === 'ENDED' ? `ended ${relative(times.end_time)}` : '';
}

/** In English if there is such a name. */
function nameOf(names: Record<string, string>): string {
  const english = Object.entries(names).find(([locale]) => locale.startsWith('en'));
  return english?.[1] ?? Object.values(names)[0] ?? '';
}
