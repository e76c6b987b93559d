import assert from 'node:assert/strict';
import test from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { Failure } from '../kernel/failures/failure.ts';
import { itemsPerChunk, readUpdate, rejectedText, type UpdateChunk } from './read-update.ts';
import { fillStates, readPreparedLog } from './rules/update-log.ts';

function plan(products: unknown[], single = false) {
  return readUpdate({ products }, { maxItems: 200_000, single, isLimited: false });
}

function chunksOf(products: unknown[]): UpdateChunk[] {
  const read = plan(products);
  assert.ok(read.kind === 'bulk');
  assert.equal(read.total, products.length);
  return read.chunks;
}

const linesOf = (chunk: UpdateChunk) => zstdDecompressSync(chunk.updates).toString().split('\n').slice(0, -1);
const logOf = (chunk: UpdateChunk) => readPreparedLog(zstdDecompressSync(chunk.log));

test('a lone item becomes a single update if that is allowed, and is rejected with pointers if invalid', () => {
  assert.deepEqual(plan([{ sku: 'A', price: 1 }], true), { kind: 'single', item: { sku: 'A', price: '1' } });
  assert.equal(plan([{ sku: 'A', price: 1 }]).kind, 'bulk');
  assert.throws(
    () => plan([{ sku: 'A', price: 'x', active: 5 }], true),
    (error) =>
      error instanceof Failure &&
      error.code === 'invalid_request' &&
      error.errors?.map(({ pointer }) => pointer).join(' ') === '/products/0/price /products/0/active',
  );
});

test('valid items become rows in COPY format, and the log has placeholders for their states', () => {
  const [chunk, ...more] = chunksOf([
    { sku: 'A\t\\', price: 1.5, quantity: null, barcode: '12' },
    { sku: '=B', active: false, maximum_sales_quantity: 3 },
    { sku: 'C', price: 'x', barcode: '+7' },
    { sku: '=B', quantity: 4 },
  ]);
  assert.ok(chunk && more.length === 0);
  assert.deepEqual(linesOf(chunk), ['1\tA\\t\\\\\t1.5\t\\N\t\\N\t-1\t12', '4\t=B\t\\N\t4\t\\N\t-1\t\\N']);
  assert.equal(chunk.hasBarcodes, true);
  const log = logOf(chunk);
  const { head } = log;
  assert.deepEqual([head.sound, head.failed, head.superseded], [2, 1, 1]);
  assert.deepEqual(head.failures, [
    {
      row_no: 3,
      sku: 'C',
      code: 'bad_format',
      rejected_data: '+7',
      rejected_reason: 'barcode must be a string of 1 to 14 digits; price must be a number from 0 to 9999999.999.',
    },
  ]);
  assert.equal(
    fillStates(log, '=N').toString(),
    [
      'A\t\\,,UNCHANGED,,1,12',
      `'=B,given_again,SUPERSEDED,"The SKU appears again in row 4; the last one is used.",2,`,
      `C,bad_format,FAILED,"barcode must be a string of 1 to 14 digits; price must be a number from 0 to 9999999.999.",3,'+7`,
      `'=B,product_not_found,FAILED,"The vendor has no product with this SKU.",4,`,
      '',
    ].join('\n'),
  );
});

test('the log has the range of the valid SKUs, unless PostgreSQL may sort them otherwise', () => {
  const rangeOf = (...skus: unknown[]) => chunksOf(skus.map((sku) => ({ sku, price: 1 }))).map(logOf)[0]?.head.range;
  assert.deepEqual(rangeOf('b', 'B', 'a-1', 'a.1', 'C', 'b'), ['B', 'b']);
  assert.deepEqual(rangeOf('b', 7), ['b', 'b']);
  assert.equal(rangeOf('a', 'ä'), undefined);
  assert.equal(rangeOf(7), undefined);
});

test('a large request is split into chunks that have no SKUs in common', () => {
  const count = 2 * itemsPerChunk + 5;
  const products = Array.from({ length: count }, (_, index) => ({
    sku: `S${(index * 7919) % count}`,
    price: index % 100,
  }));
  const chunks = chunksOf([...products, { sku: 'S3', price: 1 }, { sku: '' }]);
  assert.equal(chunks.length, 3);
  const skus = chunks.map((chunk) => linesOf(chunk).map((line) => line.split('\t')[1] as string));
  assert.equal(new Set(skus.flat()).size, count);
  assert.equal(skus.flat().length, count);
  for (const [index, own] of skus.entries()) {
    const next = skus[index + 1]?.toSorted()[0];
    assert.ok(next === undefined || own.every((sku) => sku < next));
  }
  const heads = chunks.map((chunk) => logOf(chunk).head);
  const sum = (field: 'sound' | 'failed' | 'superseded') => heads.reduce((total, head) => total + head[field], 0);
  assert.deepEqual([sum('sound'), sum('superseded'), sum('failed')], [count, 1, 1]);
});

test('a rejected value is truncated without splitting a character, and deep nesting is supported', () => {
  assert.equal(rejectedText(undefined), null);
  assert.equal(rejectedText(null), 'null');
  assert.equal(rejectedText('a\0b'), 'ab');
  assert.equal(rejectedText({ amount: [1] }), '{"amount":[1]}');
  assert.equal(rejectedText('x'.repeat(500))?.length, 200);
  assert.ok(rejectedText(`x${'🥛'.repeat(200)}`)?.isWellFormed());
  const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
  assert.equal(rejectedText(deep), '[…]');
});
