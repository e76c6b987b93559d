import { isStorable } from '../../kernel/values/text.ts';

export const maxNameLength = 200;

/** Whether a file can have this name. Slashes and control characters would make it ambiguous in a path or header. */
export function isFileName(name: string): boolean {
  const hasOnlyPrintable = isStorable(name) && !/[/\\\p{Cc}]/u.test(name);
  return name !== '' && name !== '.' && name !== '..' && name.length <= maxNameLength && hasOnlyPrintable;
}

/** Whether this is a name that clients use only during an upload. They rename the file when it is complete. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith('.') || /\.(tmp|part|filepart)$/i.test(name);
}

export function resultName(jobId: string): string {
  return `${jobId}.csv`;
}

/** `start` is the id of a job or the name of the uploaded file without its extensions (`base_name`). */
export function failedRowsName(start: string): string {
  return `${start}.failed.csv`;
}

export function statusName(baseName: string): string {
  return `${baseName}.status.csv`;
}

export function isStatusName(name: string): boolean {
  return parseResultName(name)?.kind === 'status';
}

/** What the name of a file in /results stands for. `jobId` is set if the name can start with the id of a job. */
export type ResultName = { kind: 'result' | 'failed' | 'status'; baseName: string; jobId?: string };

/** Undefined if no result can have this name. */
export function parseResultName(name: string): ResultName | undefined {
  const [, baseName = '', kind] = /^(.+?)(?:\.(failed|status))?\.csv$/.exec(name) ?? [];
  if (baseName === '') return undefined;
  if (kind === 'status') return { kind, baseName };
  const isJobId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(baseName);
  return { kind: kind === 'failed' ? kind : 'result', baseName, ...(isJobId && { jobId: baseName }) };
}
