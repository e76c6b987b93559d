import { Counter, Histogram, type Registry } from 'prom-client';

/** A file after its content has been read, or after reading it has failed. */
export type ReadFile = {
  channel: string;
  folder: string;
  result: 'read' | 'unreadable' | 'failed';
  bytes: number;
  /** Undefined for a promotion, which is read as a whole. */
  rows: number | undefined;
  /** From acceptance to the end of reading. */
  seconds: number;
};

export type FileMetrics = { countFile(file: ReadFile): void };

export function createFileMetrics(registry: Registry): FileMetrics {
  const on = { registers: [registry] };
  const files = new Counter({
    ...on,
    name: 'aisle_files_total',
    help: 'Uploaded files by channel (sftp, portal, api), kind (catalog, products, promotions) and result: read, unreadable (the job fails with line and column) or failed (an internal error).',
    labelNames: ['channel', 'kind', 'result'],
  });
  const bytes = new Counter({
    ...on,
    name: 'aisle_file_bytes_total',
    help: 'Size of the uploaded files that were read, as uploaded, in bytes.',
    labelNames: ['channel', 'kind'],
  });
  const rows = new Counter({
    ...on,
    name: 'aisle_file_rows_total',
    help: 'Rows read from catalog and product files, counted once for all stores.',
    labelNames: ['channel', 'kind'],
  });
  const seconds = new Histogram({
    ...on,
    name: 'aisle_file_read_seconds',
    help: 'Time from the acceptance of a file until all of it has been read.',
    labelNames: ['kind'],
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600],
  });
  return {
    countFile(file) {
      const { channel, result } = file;
      const kind = file.folder.split('/')[1] ?? '';
      files.inc({ channel, kind, result });
      bytes.inc({ channel, kind }, file.bytes);
      if (file.rows !== undefined) rows.inc({ channel, kind }, file.rows);
      seconds.observe({ kind }, file.seconds);
    },
  };
}
