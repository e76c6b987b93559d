import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import test from 'node:test';
import { streamBody } from './stream-body.ts';

const limits = { limit: 100_000, idleMs: 60_000 };

test('a body that is sent line by line is yielded in larger pieces', async () => {
  const source = new PassThrough();
  for (let sent = 0; sent < 5000; sent++) source.write('a line of a file\n');
  source.end();
  const sizes: number[] = [];
  for await (const piece of streamBody(source, limits)) sizes.push(piece.length);
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    85_000,
  );
  assert.ok(sizes.length < 500, `${sizes.length} pieces`);
});

test('a body that is sent in chunks of one byte is refused', async () => {
  const source = new PassThrough();
  for (let sent = 0; sent < 5000; sent++) source.write('a');
  await assert.rejects(async () => {
    for await (const piece of streamBody(source, limits)) void piece;
  }, /sent in very small chunks/);
});

test('a body that ends early, stalls or is too large is rejected', async () => {
  const read = async (source: PassThrough, options = limits) => {
    for await (const piece of streamBody(source, options)) void piece;
  };
  const broken = new PassThrough();
  broken.write('a');
  setImmediate(() => broken.destroy());
  await assert.rejects(read(broken), /The body is incomplete/);
  await assert.rejects(read(new PassThrough(), { ...limits, idleMs: 20 }), { code: 'request_timeout' });
  const large = new PassThrough();
  large.end('a'.repeat(11));
  await assert.rejects(read(large, { ...limits, limit: 10 }), { code: 'payload_too_large' });
});
