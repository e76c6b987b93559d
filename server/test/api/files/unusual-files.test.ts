import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeChain, useAisle } from '../../support/aisle.ts';
import { addProducts, plainProducts, readLog } from '../../support/catalog.ts';
import { gzipOfOneLine, readFailedRows, runFile } from '../../support/files.ts';
import { zipOf } from '../../support/zip.ts';

const aisle = await useAisle();
const chain = await makeChain(aisle);
await addProducts(aisle, chain, [...plainProducts(40), { sku: 'TV 32"', title: 'TV', price: 1 }]);

type Case = {
  title: string;
  content: string | Buffer;
  name?: string;
  /** The rows of the result file below its header. */
  result: string[];
  /** The file with the failed rows, if there are any. */
  failed?: string[];
  /** The error of the job, if it is FAILED. */
  error?: string;
};

const updated = (sku: string, line: number) => `${sku},,UPDATED,,${line},`;
const notFound = (sku: string, line: number) =>
  `${sku},product_not_found,FAILED,"The vendor has no product with this SKU.",${line},`;
const notFoundReason = 'The vendor has no product with this SKU.';
const badPrice = 'price must be a number from 0 to 9999999.999.';

/** A file that cannot be read: the job fails, and the result file and the failed rows have the reason. `hasHeader`: its columns are known. */
function unreadable(
  title: string,
  content: string | Buffer,
  line: number,
  column: number,
  reason: string,
  hasHeader = false,
): Case {
  const error = `Line ${line}, column ${column}: ${reason}.`;
  const cell = `"${error.replaceAll('"', '""')}"`;
  const failed = hasHeader ? ['sku,price,reason', `,,${cell}`] : ['reason', cell];
  return { title, content, error, result: [`,unreadable_file,FAILED,${cell},${line},`], failed };
}

const allowed = 'allowed columns are sku, price, quantity, active, maximum_sales_quantity, barcode';

const cases: Case[] = [
  { title: 'a plain file', content: 'sku,price\nSKU-00001,2.5\n', result: [updated('SKU-00001', 2)] },
  { title: 'no line break at the end', content: 'sku,price\nSKU-00001,2.6', result: [updated('SKU-00001', 2)] },
  { title: 'a UTF-8 byte order mark', content: '\ufeffsku,price\nSKU-00001,2.7\n', result: [updated('SKU-00001', 2)] },
  {
    title: 'UTF-16 little endian with a byte order mark',
    content: Buffer.from('\ufeffsku;price\r\nSKU-00001;2,8\r\nMÜSLI;3,0\r\n', 'utf16le'),
    result: [updated('SKU-00001', 2), notFound('MÜSLI', 3)],
    failed: ['\ufeffsku;price;reason', `MÜSLI;3,0;${notFoundReason}`],
  },
  {
    title: 'UTF-16 whose last byte is missing',
    content: Buffer.from('\ufeffsku,price\nSKU-00001,2.85\nNOWHERE,3\n', 'utf16le').subarray(0, -1),
    result: [updated('SKU-00001', 2), notFound('NOWHERE', 3)],
    failed: ['\ufeffsku,price,reason', `NOWHERE,3,${notFoundReason}`],
  },
  {
    title: 'UTF-16 big endian with a byte order mark',
    content: Buffer.from('\ufeffsku,price\nSKU-00001,2.9\n', 'utf16le').swap16(),
    result: [updated('SKU-00001', 2)],
  },
  {
    title: 'UTF-16 without a mark',
    content: Buffer.from('sku,price\nSKU-00001,2.91\n', 'utf16le'),
    result: [updated('SKU-00001', 2)],
  },
  {
    title: 'Windows-1252',
    content: Buffer.from('sku;price\nCAFÉ-1;3,5\nSKU-00001;3,51\n', 'latin1'),
    result: [notFound('CAFÉ-1', 2), updated('SKU-00001', 3)],
    failed: ['\ufeffsku;price;reason', `CAFÉ-1;3,5;${notFoundReason}`],
  },
  {
    title: 'Windows-1256',
    content: Buffer.concat([
      Buffer.from('sku,price\n'),
      Buffer.from([0xcd, 0xe1, 0xed, 0xc8]), // حليب
      Buffer.from(',4\n'),
    ]),
    result: [notFound('حليب', 2)],
    failed: ['\ufeffsku,price,reason', `حليب,4,${notFoundReason}`],
    error: 'All items failed; the result file has the reasons.',
  },
  {
    title: 'bytes that are not valid UTF-8 in a row of a UTF-8 file',
    content: Buffer.concat([Buffer.from('sku,price\nSKU-0000é,1\nSKU-'), Buffer.from([0xff]), Buffer.from(',1\n')]),
    name: 'mixed-encoding.csv',
    result: [notFound('SKU-0000é', 2), ',bad_format,FAILED,"column 1 contains bytes that are not valid UTF-8.",3,'],
    failed: [
      'sku,price,reason',
      `SKU-0000é,1,${notFoundReason}`,
      '\ufffd,1,column 1 contains bytes that are not valid UTF-8.',
    ],
    error: 'All items failed; the result file has the reasons.',
  },
  { title: 'semicolons', content: 'sku;price;quantity\nSKU-00002;2;7\n', result: [updated('SKU-00002', 2)] },
  { title: 'tabs', content: 'sku\tprice\nSKU-00002\t2.1\n', result: [updated('SKU-00002', 2)] },
  {
    title: 'a separator line for Excel',
    content: 'sep=;\nsku;price\nSKU-00002;2,2\n',
    result: [updated('SKU-00002', 3)],
  },
  { title: 'CRLF', content: 'sku,price\r\nSKU-00002,2.3\r\n', result: [updated('SKU-00002', 2)] },
  { title: 'CR', content: 'sku,price\rSKU-00002,2.4\r', result: [updated('SKU-00002', 2)] },
  {
    title: 'mixed line breaks and empty lines',
    content: 'sku,price\r\nSKU-00003,2\n\n\rSKU-00004,2\rSKU-00005,2\r\n,,\n',
    result: [updated('SKU-00003', 2), updated('SKU-00004', 5), updated('SKU-00005', 6)],
  },
  {
    title: 'quoted cells with separators, quotes and line breaks',
    content: '"sku","price"\r\n"A ""big"", one\nhere","1"\r\n"SKU-00006","2.5"\r\n',
    result: [notFound('"A ""big"", one\nhere"', 2), updated('SKU-00006', 4)],
    failed: ['sku,price,reason', '"A ""big"", one', `here",1,${notFoundReason}`],
  },
  {
    title: 'a quote inside an unquoted cell',
    content: 'sku,price\nTV 32",2.5\nSKU-00007,2\n',
    result: ['"TV 32""",,UPDATED,,2,', updated('SKU-00007', 3)],
  },
  unreadable(
    'a quote that is never closed',
    'sku,price\n"SKU-00007,3\nSKU-00008,3\n',
    2,
    1,
    'a quote is opened in this line but never closed',
    true,
  ),
  {
    title: 'header names in another case and order, with aliases',
    content: 'Qty;ITEM CODE;Selling-Price\n9;SKU-00008;2,5\n',
    result: [updated('SKU-00008', 2)],
  },
  {
    title: 'the columns of a file with failed rows',
    content: 'line,sku,price,reason\n2,SKU-00009,2,The price was missing.\n2,NOWHERE,2,old reason\n',
    result: [updated('SKU-00009', 2), notFound('NOWHERE', 3)],
    failed: ['sku,price,reason', `NOWHERE,2,${notFoundReason}`],
  },
  { title: 'a column without a name', content: 'sku,,price\nSKU-00010,note,2\n', result: [updated('SKU-00010', 2)] },
  {
    title: 'numbers with decimal commas and thousands separators',
    content: 'sku;price\nSKU-00011;1.234,56\nSKU-00012;1 234,5\nSKU-00013;1,234.5\nSKU-00014;0,125\nSKU-00015;1,234\n',
    result: [
      updated('SKU-00011', 2),
      updated('SKU-00012', 3),
      updated('SKU-00013', 4),
      updated('SKU-00014', 5),
      'SKU-00015,bad_format,FAILED,"price can be read in two ways: write 1234 or 1.234 instead of 1,234.",6,',
    ],
    failed: [
      'sku;price;reason',
      'SKU-00015;1,234;price can be read in two ways: write 1234 or 1.234 instead of 1,234.',
    ],
  },
  {
    title: 'yes and no',
    content: 'sku,active\nSKU-00016,No\nSKU-00017,0\nSKU-00018,maybe\n',
    result: [
      updated('SKU-00016', 2),
      updated('SKU-00017', 3),
      'SKU-00018,wrong_type,FAILED,"active must be true or false.",4,',
    ],
    failed: ['sku,active,reason', 'SKU-00018,maybe,active must be true or false.'],
  },
  {
    title: 'null and empty cells',
    content: 'sku,price,quantity\nSKU-00019,,null\nSKU-00020,,\n',
    result: [
      updated('SKU-00019', 2),
      'SKU-00020,nothing_to_update,FAILED,"at least one of barcode, quantity, price, active, maximum_sales_quantity is required.",3,',
    ],
    failed: [
      'sku,price,quantity,reason',
      'SKU-00020,,,"at least one of barcode, quantity, price, active, maximum_sales_quantity is required."',
    ],
  },
  {
    title: 'prices that are not numbers',
    content: 'sku,price\nSKU-00021,free\nSKU-00022,-1\nSKU-00023,€ 2\n',
    result: [
      `SKU-00021,wrong_type,FAILED,"${badPrice}",2,`,
      `SKU-00022,out_of_range,FAILED,"${badPrice}",3,`,
      `SKU-00023,wrong_type,FAILED,"${badPrice}",4,`,
    ],
    failed: ['sku,price,reason', `SKU-00021,free,${badPrice}`, `SKU-00022,-1,${badPrice}`, `SKU-00023,€ 2,${badPrice}`],
    error: 'All items failed; the result file has the reasons.',
  },
  {
    title: 'a row without a SKU and one with too many cells',
    content: 'sku,price\n,2\nSKU-00024,2,3\nSKU-00025,2,\nSKU-00026\n',
    result: [
      ',missing,FAILED,"sku must be a string of 1 to 64 characters.",2,',
      'SKU-00024,bad_format,FAILED,"the row has more columns than the first line, which has 2.",3,',
      updated('SKU-00025', 4),
      'SKU-00026,nothing_to_update,FAILED,"at least one of barcode, quantity, price, active, maximum_sales_quantity is required.",5,',
    ],
    failed: [
      'sku,price,reason',
      ',2,sku must be a string of 1 to 64 characters.',
      'SKU-00024,2,"the row has more columns than the first line, which has 2.",3',
      'SKU-00026,,"at least one of barcode, quantity, price, active, maximum_sales_quantity is required."',
    ],
  },
  {
    title: 'a repeated SKU',
    content: 'sku,price\nSKU-00027,2\nSKU-00027,3\n',
    result: [
      'SKU-00027,given_again,SUPERSEDED,"The SKU appears again in row 3; the last one is used.",2,',
      updated('SKU-00027', 3),
    ],
  },
  {
    title: 'a formula escaped by a spreadsheet',
    content: "sku,price\n'=SUM(A1),2\nSKU-00028,2\n",
    result: [`'=SUM(A1),product_not_found,FAILED,"${notFoundReason}",2,`, updated('SKU-00028', 3)],
    failed: ['sku,price,reason', `'=SUM(A1),2,${notFoundReason}`],
  },
  {
    title: 'NUL bytes',
    content: 'sku,price\nSKU\0-1,2\nSKU-00029,2\n',
    result: [
      'SKU-1,bad_character,FAILED,"sku must not contain U+0000 or an unpaired surrogate.",2,',
      updated('SKU-00029', 3),
    ],
    failed: ['sku,price,reason', 'SKU\0-1,2,sku must not contain U+0000 or an unpaired surrogate.'],
  },
  {
    title: 'a gzip file',
    name: 'p.csv.gz',
    content: gzipSync('sku,price\nSKU-00030,2\n'),
    result: [updated('SKU-00030', 2)],
  },
  {
    title: 'a gzip file whose name ends with .csv',
    name: 'p.csv',
    content: gzipSync('sku,price\nSKU-00030,3\n'),
    result: [updated('SKU-00030', 2)],
  },
  {
    title: 'a zip archive',
    name: 'p.zip',
    content: zipOf({ 'prices/': '', 'prices/p.csv': 'sku,price\nSKU-00031,2\n', '__MACOSX/p': 'x' }),
    result: [updated('SKU-00031', 2)],
  },
  unreadable(
    'a zip archive with two files',
    zipOf({ 'a.csv': 'sku,price\nSKU-00031,3\n', 'b.csv': 'sku,price\n' }),
    1,
    1,
    'a zip archive must contain exactly one file, a CSV file; if this is an Excel workbook, save it as CSV first',
  ),
  unreadable(
    'a damaged zip archive',
    zipOf({ 'a.csv': 'sku' }).subarray(0, 40),
    1,
    1,
    'the zip archive is damaged or incomplete',
  ),
  unreadable(
    'a zip archive with a wrong digit in its file',
    zipOf({ 'a.csv': 'sku,price\nSKU-00031,3\n' }, { 'a.csv': 'sku,price\nSKU-00031,8\n' }),
    1,
    1,
    'the zip archive is damaged or incomplete',
  ),
  unreadable(
    'an incomplete gzip file',
    gzipSync('sku,price\nSKU-00031,3\n').subarray(0, 25),
    1,
    1,
    'the gzip file is damaged or incomplete',
  ),
  unreadable(
    'a gzip bomb',
    gzipSync(Buffer.alloc(20 * 1024 * 1024, 'sku,price\n')),
    1,
    1,
    'the file decompresses to more than 200 times its size',
  ),
  unreadable(
    'a zip bomb',
    zipOf({ 'a.csv': Buffer.alloc(20 * 1024 * 1024, 'sku,price\n') }),
    1,
    1,
    'the file decompresses to more than 200 times its size',
  ),
  unreadable('an empty file', '', 1, 1, 'the file is empty; its first line must name the columns'),
  unreadable('only a byte order mark', '\ufeff', 1, 1, 'the file is empty; its first line must name the columns'),
  unreadable('only a header', 'sku,price\n', 2, 1, 'the file has no rows below the names of the columns', true),
  {
    title: 'cells that a spreadsheet would evaluate',
    content: `sku,price\n"=HYPERLINK(""http://evil"")",2\n'=1+1,2\nSKU-00001,2\n`,
    result: [notFound(`"'=HYPERLINK(""http://evil"")"`, 2), notFound("'=1+1", 3), updated('SKU-00001', 4)],
    failed: ['sku,price,reason', `"'=HYPERLINK(""http://evil"")",2,${notFoundReason}`, `'=1+1,2,${notFoundReason}`],
  },
  {
    title: 'rows with thousands of empty cells',
    content: `sku,price\nSKU-00033,2\nSKU-00034,2${','.repeat(5000)}\nSKU-00035,2,,,\n`,
    result: [
      updated('SKU-00033', 2),
      'SKU-00034,bad_format,FAILED,"the row has more than 500 columns.",3,',
      updated('SKU-00035', 4),
    ],
    failed: ['sku,price,reason', `SKU-00034,2,the row has more than 500 columns.${','.repeat(499)}`],
  },
  unreadable('an unknown column', 'sku,prise\nSKU-00032,2\n', 1, 2, `the column "prise" is unknown; ${allowed}`),
  unreadable(
    'half a million columns without a name',
    `sku,price${','.repeat(500_000)}\n${'NOWHERE,1\n'.repeat(2000)}`,
    1,
    501,
    'the first line has more than 500 columns',
  ),
  unreadable(
    'a column name with thousands of dots',
    `sku,price${'.'.repeat(5000)}\nSKU-00032,2\n`,
    1,
    2,
    `the column "price${'.'.repeat(95)}…" is unknown; ${allowed}`,
  ),
  unreadable(
    'no SKU column',
    'price,quantity\n2,3\n',
    1,
    1,
    'the column sku is missing; the first line must contain the names of the columns, and it is "price, quantity"',
  ),
  unreadable('no header', 'SKU-00032,2\nSKU-00033,2\n', 1, 1, `the column "SKU-00032" is unknown; ${allowed}`),
  unreadable(
    'the same column twice',
    'sku,price,Price\nSKU-00032,2,3\n',
    1,
    3,
    'columns 2 and 3 are both price; remove one of them',
  ),
  unreadable(
    'two aliases of a column',
    'sku,stock,qty\nSKU-00032,2,3\n',
    1,
    3,
    'columns 2 and 3 are both quantity; remove one of them',
  ),
  unreadable('only SKUs', 'sku\nSKU-00032\n', 1, 1, `the only column is sku; ${allowed}`),
  unreadable(
    'a picture',
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    1,
    1,
    `the column "‰PNG" is unknown; ${allowed}`,
  ),
  {
    title: 'failed rows whose last row has only a reason',
    content: 'sku,price,reason\nSKU-00036,2,The price was missing.\n,,"Line 9, column 1: a quote is never closed."\n',
    result: [updated('SKU-00036', 2)],
  },
  unreadable(
    '1 GiB of one line',
    gzipOfOneLine(1024),
    2,
    1,
    'the row is longer than 1048576 bytes; line breaks may be missing, or a quote is not closed',
    true,
  ),
];

for (const [index, { title, content, name = `case-${index}.csv`, result, failed, error }] of cases.entries()) {
  test(`unusual file: ${title}`, { concurrency: true }, async () => {
    const { job, file } = await runFile(aisle, chain, { name, content });
    assert.deepEqual([job.job_status, job.error], error === undefined ? ['COMPLETED', undefined] : ['FAILED', error]);
    const [, ...rows] = await readLog(aisle, chain, job.job_id);
    assert.equal(rows.join('\n'), result.join('\n'));
    assert.deepEqual(await readFailedRows(aisle, chain, file), failed);
    assert.equal(job.file_name, name);
  });
}

test('the name of the failed rows has only characters that RFC 5987 allows', async () => {
  const { file } = await runFile(aisle, chain, { name: `it's "new" (1)*.csv`, content: 'sku,price\nSKU-00037,x\n' });
  const path = `${chain.base}/files/${file.file_id}/failed-rows`;
  const { headers } = await aisle.call('GET', path, { token: chain.token });
  const encoded = 'it%27s%20%22new%22%20%281%29%2a.failed.csv';
  const disposition = `attachment; filename="it's _new_ (1)*.failed.csv"; filename*=UTF-8''${encoded}`;
  assert.equal(headers['content-disposition'], disposition);
});
