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

/** The name of the file with the failed rows, for example `prices.failed.csv` for `prices.csv.gz`. */
export function failedRowsName(name: string): string {
  return `${name.replace(/(\.(csv|txt|tsv))?(\.(gz|zip))?$/i, '')}.failed.csv`;
}
