import { writeCsv } from '@aisle/contract/csv';
import { fileColumns } from '@aisle/contract/file-columns';
import type { FileKind } from '@aisle/contract/file-kinds';

/** A CSV file with the columns for this kind of file and an example row. */
export function template(kind: FileKind): string {
  const columns = fileColumns[kind];
  return writeCsv([columns.map((column) => column.name), columns.map((column) => column.example)]);
}
