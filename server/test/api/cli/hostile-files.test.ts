import assert from 'node:assert/strict';
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import test from 'node:test';
import { readCatalogFile } from '../../../../cli/src/catalog/read-rows.ts';
import { readXlsxRows } from '../../../../cli/src/catalog/read-xlsx.ts';
import { saveXlsx } from '../../../../cli/src/catalog/write-xlsx.ts';
import { makeTemporaryFolder } from '../../../../tools/temporary-folder.ts';
import { zipOf } from '../../support/zip.ts';

const folder = makeTemporaryFolder('files');
const path = join(folder, 'rows');

async function read(content: string | Uint8Array, format: 'json' | 'ndjson'): Promise<string> {
  writeFileSync(path, content);
  let text = '';
  for await (const part of (await readCatalogFile(path, format)) as AsyncIterable<Uint8Array>) {
    text += Buffer.from(part).toString();
  }
  return text.slice(text.indexOf('\n') + 1);
}

const latin = Buffer.from('[{"sku":"A"},\n{"sku":"Caf\xe9"}]', 'latin1');

test('a file that is not UTF-8 is an error that names the line and the byte', async () => {
  await assert.rejects(read(latin, 'json'), /line 2 .*not UTF-8, at byte 26 /i);
  const lines = Buffer.from('{"sku":"A"}\n{"sku":"Caf\xe9"}\n', 'latin1');
  await assert.rejects(read(lines, 'ndjson'), /line 2 .*not UTF-8, at byte 24 /i);
  await assert.rejects(read(Buffer.from('{"sku":"\xe2\x82', 'latin1'), 'ndjson'), /line 1.*UTF-8/i);
  const wide = Buffer.from('\ufeff[{"sku":"A"}]', 'utf16le');
  await assert.rejects(read(wide, 'json'), /UTF-16.*save it as UTF-8/i);
  await assert.rejects(read(wide, 'ndjson'), /UTF-16.*save it as UTF-8/i);
});

test('a byte order mark, any line break and empty lines are accepted', async () => {
  assert.equal(await read('\ufeff[{"sku":"خبز"}]', 'json'), 'خبز,,,,,\n');
  const text = '\ufeff{"sku":"A"}\r\n\r\n   \n{"sku":"B"}\n{"sku":"C"}';
  assert.equal(await read(text, 'ndjson'), 'A,,,,,\nB,,,,,\nC,,,,,\n');
  assert.equal(await read('', 'ndjson'), '');
});

test('characters are kept although they are divided between two reads of the file', async () => {
  const skus = Array.from({ length: 9000 }, (_, index) => `${'x'.repeat(index % 7)}خبز🥖`);
  const text = await read(skus.map((sku) => JSON.stringify({ sku })).join('\n'), 'ndjson');
  assert.equal(text, skus.map((sku) => `${sku},,,,,\n`).join(''));
});

test('a line or a file that does not fit into memory is an error at once', async () => {
  await assert.rejects(read(`{"sku":"A"}\n{"sku":"${'x'.repeat(2_000_000)}"}`, 'ndjson'), /Line 2 .* longer than 1 MB/);
  // A file of 3 GB without content on the disk.
  const file = openSync(path, 'w');
  writeSync(file, '[');
  ftruncateSync(file, 3 * 1024 ** 3);
  closeSync(file);
  await assert.rejects(readCatalogFile(path, 'json'), /too large.*NDJSON/s);
});

test('names of built-in properties are unknown fields', async () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    await assert.rejects(read(`{"sku":"A","${name}":"x"}`, 'ndjson'), /unknown field/);
  }
});

test('numbers that JSON does not keep exactly are an error instead of another product', async () => {
  for (const number of ['12345678901234567890', '9007199254740993', '1e400', '-1e400']) {
    await assert.rejects(read(`{"sku":${number}}`, 'ndjson'), /sku .*quotes/s, number);
  }
  assert.equal(await read('{"sku":6291041500213,"price":0.1}', 'ndjson'), '6291041500213,,0.1,,,\n');
});

test('NUL and control characters are passed on for the server to reject, and quotes and breaks are quoted', async () => {
  assert.equal(await read('{"sku":"a\\u0000,\\"b\\r\\n"}', 'ndjson'), '"a\u0000,""b\r\n",,,,,\n');
});

test('a workbook that would fill the memory, or whose rows are far apart, is an error at once', async () => {
  const row = (number: number) => `<row r="${number}"><c r="A${number}"><v>1</v></c></row>`;
  writeFileSync(path, workbook(row(1)));
  assert.deepEqual(await Array.fromAsync(await readXlsxRows(path, undefined)), ['1']);
  writeFileSync(path, workbook(' '.repeat(70 * 1024 * 1024)));
  await assert.rejects(readXlsxRows(path, undefined), /contains 70 MB, which is too much/);
  writeFileSync(path, workbook(row(999_999_999)));
  await assert.rejects(Array.fromAsync(await readXlsxRows(path, undefined)), /has a row 999999999/);
});

test('text that looks like a formula is written to Excel files as text', async () => {
  await saveXlsx(Readable.from([{ sku: '=1+1', price: 2 }]), path);
  assert.deepEqual(await Array.fromAsync(await readXlsxRows(path, undefined)), ['sku,price', '=1+1,2']);
});

function workbook(rows: string): Buffer {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const relations = (type: string, target: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${office}/${type}" Target="${target}"/></Relationships>`;
  return zipOf({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  });
}
