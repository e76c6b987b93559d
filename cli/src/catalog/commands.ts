import type { CatalogJob } from '@aisle/sdk';
import { type ArgumentRow, defineCommand, type OptionRow } from '../command.ts';
import { limitOption, storeOption } from '../commands/options.ts';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { count } from '../terminal/text.ts';
import { type PreviewClass, previewClasses, showPreview } from './preview.ts';
import { pullCommand } from './pull.ts';
import { type Pushed, pushFile, type PushOptions, saveFailedRows } from './push.ts';
import { fileFormats } from './read-rows.ts';

const fileArgument: ArgumentRow = { name: '<file>', description: 'a CSV, Excel (.xlsx), JSON or NDJSON file' };
const targetOptions: OptionRow[] = [
  storeOption,
  { flags: '--all', description: 'all stores that your credentials can access' },
  { flags: '--format <format>', description: 'the format, if the file name does not show it', choices: fileFormats },
  { flags: '--sheet <sheet>', description: 'the name or number of the sheet, for Excel files (default: the first)' },
];

type Options = PushOptions & { dryRun?: boolean; failedRows?: string; limit?: number };

const push = defineCommand<Options, [string]>({
  name: 'catalog push',
  args: [fileArgument],
  summary: 'Update prices, stock and availability from a file',
  details:
    'Uploads a file with the columns sku, price, quantity, active, maximum_sales_quantity and barcode, all optional except sku, and waits until it has been applied. Rows that fail are saved as a file, to be corrected and pushed again. CSV can have any common encoding and separator, and can be compressed. The columns of an Excel file have the same names.',
  options: [
    ...targetOptions,
    { flags: '--dry-run', description: 'only show what would change, like catalog diff' },
    { flags: '--apply-at <time>', description: 'apply it at this time (ISO 8601), without waiting' },
    { flags: '--failed-rows <file>', description: 'where to save failed rows (default: FILE.failed.csv)' },
    { flags: '--force', description: 'apply a file again that was pushed before' },
  ],
  examples: [
    'catalog push prices.csv --store 1001',
    'catalog push stock.ndjson --all',
    'catalog push prices.xlsx --sheet "Store 1001"',
    'catalog push prices.csv --dry-run',
    'catalog push offers.csv --apply-at 2026-12-01T00:00:00+04:00',
  ],
  async run(context, options, file) {
    if (options.dryRun) return diffFile(context, file, options);
    const pushed = await pushFile(context, file, options, false);
    const counts = countsOf(pushed.jobs);
    const failed =
      counts.failed > 0 ? await saveFailedRows(context, pushed.fileId, file, options.failedRows) : undefined;
    const result = { file_id: pushed.fileId, is_repeat: pushed.isRepeat, ...counts, failed_rows: failed ?? null };
    context.show({ ...result, job_ids: pushed.jobs.map(({ job_id }) => job_id) }, () =>
      pushText(context, pushed, options.applyAt),
    );
    if (counts.failed > 0) {
      throw new CliError(`${count(counts.failed, 'row')} failed.`, {
        exitCode: exitCodes.partial,
        ...(failed !== undefined && { hint: `Correct the rows in ${failed}, then push that file.` }),
      });
    }
  },
});

const diff = defineCommand<PushOptions & { limit: number; class?: PreviewClass }, [string]>({
  name: 'catalog diff',
  args: [fileArgument],
  summary: 'Show what a push would change',
  details:
    'Checks a file like catalog push, and shows what would change: errors and suspicious changes first, such as a price that changes by half. Nothing is changed.',
  options: [
    ...targetOptions,
    { flags: '--class <class>', description: 'only rows of this class', choices: previewClasses },
    limitOption,
  ],
  examples: [
    'catalog diff prices.csv --store 1001',
    'catalog diff prices.csv --all --class SUSPICIOUS',
    'catalog diff prices.csv --limit 1000 --json',
  ],
  run: (context, options, file) => diffFile(context, file, options),
});

export const catalogCommands = [push, pullCommand, diff];

async function diffFile(context: Context, file: string, options: Options & { class?: PreviewClass }): Promise<void> {
  // The same file can be checked again after the catalog has changed.
  const { jobs } = await pushFile(context, file, { ...options, force: true }, true);
  await showPreview(context, jobs, options.limit ?? 20, options.class);
}

function countsOf(jobs: readonly CatalogJob[]) {
  const sum = (field: keyof CatalogJob['progress']) => jobs.reduce((total, job) => total + job.progress[field], 0);
  return { rows: sum('total'), changed: sum('succeeded'), unchanged: sum('unchanged'), failed: sum('failed') };
}

function pushText({ paint, command }: Context, { jobs, isRepeat }: Pushed, applyAt: string | undefined): string {
  const [first] = jobs;
  if (applyAt !== undefined) {
    const hint = command(`jobs cancel ${first?.job_id ?? ''}`);
    return `${paint('green', '✓')} Scheduled for ${first?.apply_at ?? applyAt}.\n${paint('dim', `  Cancel it with ${hint}`)}`;
  }
  const { changed, unchanged, failed } = countsOf(jobs);
  const mark = failed > 0 ? paint('yellow', '!') : paint('green', '✓');
  const result = `${count(changed, 'product')} changed, ${unchanged} unchanged, ${failed} failed.`;
  if (!isRepeat) return `${mark} ${result}`;
  return `${paint('yellow', '!')} Nothing was applied, because the same file was pushed before; see --force.\n  Its result was: ${result}`;
}
