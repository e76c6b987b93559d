import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import test from 'node:test';
import { makeChain, useOwnAisle } from '../../support/aisle.ts';
import { addProducts, catalogPath, putProducts } from '../../support/catalog.ts';
import { waitFor } from '../../support/wait.ts';

const mebibyte = 1024 * 1024;
const aisle = await useOwnAisle({
  AISLE_MAX_CATALOG_BYTES: String(2 * mebibyte),
  AISLE_BODY_MEMORY: String(4 * mebibyte),
});
const chain = await makeChain(aisle);
const description = Object.fromEntries(
  Array.from('abcdefghijklmnopqrstuvwx', (one) => [`${one}r_AE`, 'x'.repeat(1e4)]),
);
await addProducts(aisle, chain, [{ sku: 'LONG', title: 'Long', price: 1, description }]);
const port = Number(new URL(await aisle.aisle.http.listen({ host: '127.0.0.1', port: 0 })).port);

test('responses to changes that are not read use a limited amount of memory, then changes return 503', async (t) => {
  const products = [{ sku: 'LONG', price: 2 }];
  const put = () => putProducts(aisle, chain, products);
  const response = await put();
  assert.deepEqual([response.status, response.text.length > 240_000], [200, true]);
  // The responses wait for the one to the first request on their connection, which waits for an event.
  const text = JSON.stringify({ products });
  const head = (line: string) => `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${chain.token}\r\n`;
  const first = `${head(`GET ${chain.base}/events?after=latest&wait=25`)}\r\n`;
  const one = `${head(`PUT ${catalogPath(chain)}`)}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  // Each chain has 16 MiB, and half of the setting.
  const readers: Socket[] = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').pause());
  t.after(() => readers.forEach((reader) => reader.destroy()));
  for (const reader of readers) reader.write(first + one.repeat(15));
  const isRejected = async () => {
    const { status, body } = await put();
    return status === 503 && /Too many large responses/.test(body.detail);
  };
  await waitFor('a change to be rejected', isRejected, 25);
  for (const reader of readers) reader.destroy();
  await waitFor('a change to be accepted', async () => (await put()).status === 200, 25);
});
