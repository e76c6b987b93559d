import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionContext } from './context.ts';
import { flushUpload, sizeOf, type Upload, writeUpload } from './upload.ts';

const mebibyte = 1024 * 1024;

test('an upload whose bytes have been stored does not keep them in memory', async () => {
  const { context, upload } = openUpload();
  await writeUpload(context, upload, 1, Buffer.alloc(4 * mebibyte - 1));
  await writeUpload(context, upload, 0, Buffer.alloc(1));
  assert.deepEqual([upload.stored, heldBytes(upload)], [4 * mebibyte, 0]);
  await writeUpload(context, upload, upload.stored, Buffer.alloc(mebibyte + 10_000));
  assert.deepEqual([upload.stored, heldBytes(upload)], [5 * mebibyte, 10_000]);
  await writeUpload(context, upload, sizeOf(upload), Buffer.alloc(1));
  assert.equal(heldBytes(upload), 10_001);
});

test('an upload that arrives byte by byte is kept in few pieces', async () => {
  const { context, upload } = openUpload();
  for (let at = 0; at < 10_000; at++) await writeUpload(context, upload, at, Buffer.from([at % 251]));
  assert.ok(upload.pending.length <= 64, `${upload.pending.length} pieces`);
  assert.deepEqual(Buffer.concat(upload.pending), Buffer.from(Array.from({ length: 10_000 }, (_, at) => at % 251)));
});

test('an upload that has a few bytes stored at a time uses up the time of its chain', async () => {
  const { context, upload, spent } = openUpload();
  for (let count = 0; count < 11; count++) {
    await writeUpload(context, upload, sizeOf(upload), Buffer.alloc(8 * 1024));
    await flushUpload(context, upload);
  }
  assert.equal(spent(), 0);
  for (let count = 0; count < 10; count++) await writeUpload(context, upload, upload.stored - 1, Buffer.alloc(1));
  assert.equal(spent(), 50);
});

/** The memory of the buffers, including bytes that are no longer pending. */
function heldBytes({ pending }: Upload): number {
  return new Set(pending.map(({ buffer }) => buffer)).values().reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function openUpload(): { context: SessionContext; upload: Upload; spent: () => number } {
  let spentMs = 0;
  const spend = (_chainId: string, ms: number) => {
    spentMs += ms;
    return 0;
  };
  const context = {
    config: { limits: {} },
    db: { transaction: () => Promise.resolve() },
    memory: { take: () => true, give() {} },
    user: {},
    budget: { spend },
  } as unknown as SessionContext;
  const upload = {
    stored: 0,
    acknowledged: 0,
    pending: [],
    pendingBytes: 0,
    ahead: new Map(),
    aheadBytes: 0,
    counted: 0,
    isAppend: false,
    isAccepted: false,
    storedAt: performance.now(),
  } as unknown as Upload;
  return { context, upload, spent: () => spentMs };
}
