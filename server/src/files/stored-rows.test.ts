import assert from 'node:assert/strict';
import test from 'node:test';
import type { Format, StoredRow } from './rules/format.ts';
import { decodeRows, encodeRows } from './stored-rows.ts';

const format: Format = {
  encoding: 'utf-8',
  separator: ',',
  header: ['sku', ''],
  fields: [],
  dropped: [],
  has_mark: false,
};

async function decode(text: string): Promise<StoredRow[][]> {
  const batches: StoredRow[][] = [];
  for await (const rows of decodeRows(await encodeRows({ line: 2, bytes: Buffer.from(text) }), format)) {
    batches.push(rows);
  }
  return batches;
}

test('long rows are decoded a few at a time, so that other requests are not delayed', async () => {
  const cells = Array.from({ length: 60 }, (_, index) => [`S${index}`, `${'é,'.repeat(2000)}\r\n"${index}`]);
  const source = cells.map(([sku, cell]) => `${sku},"${String(cell).replaceAll('"', '""')}"\r\n`).join('');
  const batches = await decode(source);
  assert.ok(
    batches.every((rows) => rows.length < 10),
    String(batches.map((rows) => rows.length)),
  );
  assert.deepEqual(
    batches.flat(),
    cells.map((row, index) => [2 + 2 * index, row]),
  );
});

test('a row that is longer than what is decoded at a time is decoded as a whole', async () => {
  const long = 'x'.repeat(200_000);
  const rows = (await decode(`A,"${long}"\nB,1\r\rC,2`)).flat();
  assert.deepEqual(rows, [
    [2, ['A', long]],
    [3, ['B', '1']],
    [5, ['C', '2']],
  ]);
});
