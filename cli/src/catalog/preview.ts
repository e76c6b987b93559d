import type { CatalogJob, GetCatalogPreviewResponseItem } from '@aisle/sdk';
import { pageSize, take } from '../commands/options.ts';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Style } from '../terminal/paint.ts';
import { count } from '../terminal/text.ts';

/** In the order in which they are shown. */
export const previewClasses = ['ERROR', 'SUSPICIOUS', 'DUPLICATE', 'CHANGED', 'UNCHANGED'] as const;
export type PreviewClass = (typeof previewClasses)[number];

const styles: Record<PreviewClass, Style> = {
  ERROR: 'red',
  SUSPICIOUS: 'yellow',
  DUPLICATE: 'yellow',
  CHANGED: 'green',
  UNCHANGED: 'dim',
};

/** Shows the counts and the first rows of previews, and fails if a row has an error. */
export async function showPreview(
  context: Context,
  jobs: readonly CatalogJob[],
  limit: number,
  only: PreviewClass | undefined,
): Promise<void> {
  const previews = await Promise.all(jobs.map((job) => readPreview(context, job, limit, only)));
  const items = previews.flatMap((preview) => preview.items).slice(0, limit);
  const counts = Object.fromEntries(
    previewClasses.map((name) => [name, previews.reduce((sum, preview) => sum + preview.counts[name], 0)]),
  ) as Record<PreviewClass, number>;
  context.show({ counts, items, job_ids: jobs.map(({ job_id }) => job_id) }, () => previewText(context, counts, items));
  if (counts.ERROR > 0) {
    const exitCode = exitCodes.partial;
    throw new CliError(`${count(counts.ERROR, 'row')} would fail.`, { exitCode });
  }
}

/** Unchanged rows are shown only if they are asked for. */
async function readPreview(context: Context, { job_id }: CatalogJob, limit: number, only: PreviewClass | undefined) {
  const read = context.client().getCatalogPreview;
  const { counts } = await read({ params: { job_id }, query: { page_size: 1 } });
  const items: GetCatalogPreviewResponseItem[] = [];
  for (const name of only ? [only] : previewClasses.filter((one) => one !== 'UNCHANGED')) {
    const query = { class: name, page_size: pageSize(limit) };
    items.push(...(await take(read.all({ params: { job_id }, query }), limit - items.length)));
  }
  return { items, counts };
}

function previewText(
  context: Context,
  counts: Record<PreviewClass, number>,
  items: readonly GetCatalogPreviewResponseItem[],
): string {
  const summary = [
    count(counts.ERROR, 'error'),
    `${counts.SUSPICIOUS} suspicious`,
    count(counts.DUPLICATE, 'duplicate'),
    `${counts.CHANGED} changed`,
    `${counts.UNCHANGED} unchanged`,
  ].join(', ');
  if (items.length === 0) return summary;
  const table = context.table(
    [{ title: 'ROW', align: 'right' }, { title: 'CLASS' }, { title: 'SKU' }, { title: 'CHANGE', flexible: true }],
    items.map((item) => [
      String(item.row_number),
      { text: item.class, style: styles[item.class] },
      item.sku ?? '',
      item.changes.length > 0 ? changesText(item) : (item.message ?? ''),
    ]),
  );
  const shown = previewClasses.reduce((sum, name) => sum + (name === 'UNCHANGED' ? 0 : counts[name]), 0);
  const more = shown > items.length ? `\n${context.paint('dim', 'Add --limit to see more rows.')}` : '';
  return `${table}\n\n${summary}${more}`;
}

function changesText({ changes }: GetCatalogPreviewResponseItem): string {
  return changes
    .map(({ field, old, new: next, change_percent: percent }) => {
      const relative = percent === undefined ? '' : ` (${percent > 0 ? '+' : ''}${percent}%)`;
      return `${field} ${old ?? 'unknown'} → ${next ?? 'unknown'}${relative}`;
    })
    .join(', ');
}
