import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { readBody } from './request-body.ts';

const reservation = { grow() {}, size: () => 0, isAwaited: () => false, release() {} };
const options = { compressed: true, length: 0, limit: 8192, idleMs: 60_000 };

test('a gzip body that goes on without any content is rejected', async () => {
  const source = new PassThrough();
  for (let sent = 0; sent < 1000; sent++) source.write(gzipSync(''));
  source.end();
  await assert.rejects(readBody(source, options, reservation), { code: 'payload_too_large' });
});

test('a gzip body can consist of several parts', async () => {
  const source = new PassThrough();
  source.end(Buffer.concat([gzipSync('{"a"'), gzipSync(''), gzipSync(':1}')]));
  assert.equal(String(await readBody(source, options, reservation)), '{"a":1}');
});
