import assert from 'node:assert/strict';
import test from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { compressPart, decompressPart, joinParts } from './gzip-parts.ts';

async function join(parts: Buffer[]): Promise<Buffer> {
  const joined: Buffer[] = [];
  for await (const bytes of joinParts(source(parts))) joined.push(bytes);
  return Buffer.concat(joined);
}

async function* source(parts: Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}

/** Asserts that the bytes are a single gzip member, whose trailer contains the length of the whole text. */
function assertSingle(joined: Buffer, text: string): void {
  assert.equal(gunzipSync(joined).toString(), text);
  assert.equal(joined.readUInt32LE(joined.length - 4), Buffer.byteLength(text));
}

test('a part is a complete gzip file', async () => {
  for (const text of ['', 'a\n', 'SKU-1,,UPDATED,,1,\n'.repeat(50_000)]) {
    const part = await compressPart(text);
    assert.equal((await decompressPart(part, Buffer.byteLength(text))).toString(), text);
  }
});

test('a small part that decompresses to more than was recorded does not fill the memory', async () => {
  const part = await compressPart('x'.repeat(1_000_000));
  await assert.rejects(decompressPart(part, 10_000), { code: 'ERR_BUFFER_TOO_LARGE' });
});

test('joining parts results in one gzip file that contains the text of all parts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 2000 }), { maxLength: 6 }), async (texts) => {
      const plain = texts.map((text) => text.toWellFormed());
      assertSingle(await join(await Promise.all(plain.map(compressPart))), plain.join(''));
    }),
    { numRuns: 50 },
  );
});

test('large parts and parts compressed by other programs can be joined', async () => {
  const rows = (from: number) =>
    Array.from({ length: 40_000 }, (_, index) => `SKU-${from + index},,UPDATED,,${index},\n`).join('');
  const parts = [await compressPart(rows(0)), gzipSync(rows(1e6)), await compressPart(rows(2e6)), gzipSync('')];
  assertSingle(await join(parts), rows(0) + rows(1e6) + rows(2e6));
});

test('a part that is not gzip cannot be joined', async () => {
  await assert.rejects(join([await compressPart('a'), Buffer.from('not gzip, but long enough')]));
  await assert.rejects(join([Buffer.alloc(0)]));
});
