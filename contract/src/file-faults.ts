import { fillTemplate, recognizeTemplate, type TemplateValues } from './templates.ts';

/**
 * Why a file could not be read, as templates. The API returns the text, in English. Clients that show it in another
 * language, like the portal, recognize it by its template.
 */
export const fileFaults = {
  empty_file: 'the file is empty; its first line must name the columns',
  too_many_columns: 'the first line has more than {max} columns',
  unknown_column: 'the column "{name}" is unknown; allowed columns are {allowed}',
  repeated_column: 'columns {first} and {second} are both {name}; remove one of them',
  missing_column:
    'the column {name} is missing; the first line must contain the names of the columns, and it is "{found}"',
  only_column: 'the only column is {name}; allowed columns are {allowed}',
  no_rows: 'the file has no rows below the names of the columns',
  too_many_rows: 'the file has too many rows for this many stores; split it',
  more_rows: 'the file has more than {max} rows',
  unclosed_quote: 'a quote is opened in this line but never closed',
  long_row: 'the row is longer than {max} bytes; line breaks may be missing, or a quote is not closed',
  damaged_zip: 'the zip archive is damaged or incomplete',
  damaged_gzip: 'the gzip file is damaged or incomplete',
  several_files:
    'a zip archive must contain exactly one file, a CSV file; if this is an Excel workbook, save it as CSV first',
  encrypted_zip: 'the file in the zip archive is encrypted; send it without a password',
  zip_method: 'the zip archive must use the deflate method',
  large_zip: 'the zip archive must not be larger than 4 GiB',
  large_content: 'the file is larger than {max} bytes after decompression',
  large_ratio: 'the file decompresses to more than {max} times its size',
  large_promotion: 'a promotion file must not be larger than {max} bytes, uncompressed',
  too_much_memory: 'reading the file requires too much memory; split it',
  foreign_stores: 'the uploader cannot change these stores: {stores}',
  too_many_skus: 'the promotion must have at most {max} SKUs, each counted once per store',
} as const;
export type FileFault = keyof typeof fileFaults;

export function describeFault(code: FileFault, values: TemplateValues = {}): string {
  return fillTemplate(fileFaults[code], values);
}

export function recognizeFault(text: string): ReturnType<typeof recognizeTemplate<FileFault>> {
  return recognizeTemplate(fileFaults, text);
}
