import { writeCsv } from '@aisle/contract/csv';
import { type FileKind, fileColumns } from '@aisle/contract/file-columns';

/** A CSV file with the columns for this kind of file and an example row. */
export function template(kind: FileKind): string {
  const columns = fileColumns[kind];
  return writeCsv([columns.map((column) => column.name), columns.map((column) => column.example)]);
}
