import { defineCommand } from '../command.ts';
import { storeOption } from '../commands/options.ts';
import { storeOf } from '../context.ts';
import { UsageError } from '../errors.ts';
import { count } from '../terminal/text.ts';
import { saveDownload, writeDownload } from '../jobs/downloads.ts';
import { type FileFormat, fileFormats, formatOf } from './read-rows.ts';

const mediaTypes: Record<Exclude<FileFormat, 'xlsx'>, string> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
};

type Options = { store?: string; output?: string; format?: FileFormat };

export const pullCommand = defineCommand<Options>({
  name: 'catalog pull',
  summary: "Download a store's prices and stock",
  details:
    'Exports all products of a store with their price, stock and availability, in a form that catalog push accepts. Writes to the standard output, or to a file.',
  options: [
    storeOption,
    { flags: '-o, --output <file>', description: 'the file to write' },
    {
      flags: '--format <format>',
      description: 'the format; default: as the file name, otherwise csv',
      choices: fileFormats,
    },
  ],
  examples: [
    'catalog pull --store 1001 > catalog.csv',
    'catalog pull --store 1001 --output catalog.xlsx',
    'catalog pull --format json',
  ],
  async run(context, { store, output, format = output === undefined ? 'csv' : formatOf(output) }) {
    if (format === 'xlsx' && output === undefined) throw new UsageError('Add --output FILE.xlsx for an Excel file.');
    const client = context.client();
    const progress = context.progress('Exporting');
    const vendor_id = storeOf(context, store);
    const { signal } = context.terminal;
    const job = await client
      .exportCatalog({ params: { vendor_id } })
      .finished({ signal, onProgress: ({ progress: { processed, total } }) => progress.update(processed, total) })
      .finally(() => progress.end());
    const params = { job_id: job.job_id };
    if (output !== undefined && format === 'xlsx') {
      const { saveXlsx } = await import('./write-xlsx.ts');
      await saveXlsx(client.downloadCatalogJob.rows({ params }), output);
    } else if (format !== 'xlsx') {
      const download = await client.downloadCatalogJob({ params }, { headers: { accept: mediaTypes[format] } });
      if (output === undefined) return writeDownload(download, context.terminal.stdout);
      await saveDownload(download, output);
    }
    const { succeeded } = job.progress;
    const result = { file: output, products: succeeded, job_id: job.job_id };
    context.show(result, () => `${context.paint('green', '✓')} ${count(succeeded, 'product')} in ${output}.`);
  },
});
