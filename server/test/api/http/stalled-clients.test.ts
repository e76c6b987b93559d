import assert from 'node:assert/strict';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import test, { after, before } from 'node:test';
import { compressPart } from '../../../src/jobs/gzip-parts.ts';
import { makeChain, startTestAisle, type OwnAisle, type TestChain } from '../../support/aisle.ts';
import { addProducts, plainProducts, runUpdate } from '../../support/catalog.ts';
import { waitFor } from '../../support/wait.ts';

const mebibyte = 1024 * 1024;
let aisle: OwnAisle;
let chain: TestChain;
let port: number;

before(async () => {
  aisle = await startTestAisle({
    AISLE_IDLE_SECONDS: '1',
    AISLE_SHUTDOWN_SECONDS: '1',
    AISLE_MAX_CATALOG_BYTES: String(2 * mebibyte),
    AISLE_BODY_MEMORY: String(4 * mebibyte),
  });
  chain = await makeChain(aisle);
  port = Number(new URL(await aisle.aisle.http.listen({ host: '127.0.0.1', port: 0 })).port);
});
after(() => aisle.stop());

test('a stalled upload gets 408, and its memory and connection are released', async () => {
  const client = await open(uploadHead(chain, 2 * mebibyte), 'first bytes');
  const response = await client.received;
  assert.match(response, /^HTTP\/1.1 408 /);
  assert.match(response, /"code":"request_timeout"/);
  assert.match(response, /must arrive at 64 KiB in 1 s or faster/);
  await waitFor('the memory to be released', async () => (await usedMemory()) === 0);
  await waitFor('the connection to be closed', () => client.accepted.destroyed);
});

test('a slow upload is accepted if it maintains the minimum rate', async () => {
  const body = JSON.stringify({ products: [{ sku: 'A', price: 1 }], padding: 'x'.repeat(300 * 1024) });
  const client = await open(uploadHead(chain, body.length));
  for (let at = 0; at < body.length; at += 50 * 1024) {
    client.socket.write(body.slice(at, at + 50 * 1024));
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  await waitFor('the response', () => client.text().includes('\r\n\r\n'));
  // The store has no such product, which is known only after the whole body has been read.
  assert.match(client.text(), /^HTTP\/1.1 404 /);
  client.socket.destroy();
});

test('rejected requests with bodies leave no listeners behind on a connection that stays open', async () => {
  const body = '{"name":"x"}';
  const head = `PATCH ${chain.base}/settings HTTP/1.1\r\nHost: aisle\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const client = await open('');
  const listeners: number[] = [];
  for (let count = 1; count <= 12; count++) {
    // The body arrives after the response was sent, because there is no token.
    client.socket.write(head);
    await waitFor(`response ${count}`, () => client.text().split('HTTP/1.1 401').length === count + 1, 30);
    client.socket.write(body);
    listeners.push(client.accepted.listenerCount('close'));
  }
  assert.ok(Number(listeners.at(-1)) <= Number(listeners[0]) + 1, listeners.join(', '));
  client.socket.destroy();
});

test('one chain cannot use all the memory for large bodies', async () => {
  const other = await makeChain(aisle);
  const stalled = await Promise.all([1, 2].map(() => open(uploadHead(chain, 2 * mebibyte), 'first bytes')));
  const sending = setInterval(() => stalled.forEach(({ socket }) => socket.write('x'.repeat(70 * 1024))), 400);
  await waitFor('memory to be reserved', async () => (await usedMemory()) >= 2 * mebibyte);
  const products = [
    { sku: 'A', price: 1 },
    { sku: 'B', price: 1 },
  ];
  const response = await aisle.call('PUT', `${other.base}/vendors/${other.vendors[0]}/catalog`, {
    token: other.token,
    body: { products, padding: 'x'.repeat(1.5 * mebibyte) },
  });
  assert.equal(response.status, 202);
  // One of the first chain's bodies is still being read, and the other one waits for it.
  assert.equal(await usedMemory(), 2 * mebibyte);
  clearInterval(sending);
  for (const { socket } of stalled) socket.destroy();
  await waitFor('the memory to be released', async () => (await usedMemory()) === 0);
});

test('a rejected request that is never completed does not keep its connection open', async () => {
  const client = await open(uploadHead({ ...chain, token: 'junk' }, 1000), '{');
  await waitFor('the response', () => client.text().startsWith('HTTP/1.1 401 '));
  await waitFor('the connection to be closed', () => client.accepted.destroyed);
});

for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
  for (const format of ['text/csv', 'application/json']) {
    test(`a download (${format}, ${encoding}) that is not read is cut off, and little of it is buffered`, async () => {
      const client = await open(
        [
          `GET ${chain.base}/catalog/jobs/${await largeFile()}/download HTTP/1.1`,
          'Host: a',
          `Authorization: Bearer ${chain.token}`,
          `Accept: ${format}`,
          `Accept-Encoding: ${encoding}\r\n\r\n`,
        ].join('\r\n'),
      );
      client.socket.pause();
      let buffered = 0;
      await waitFor('the connection to be closed', () => {
        buffered = Math.max(buffered, client.accepted.writableLength);
        return client.accepted.destroyed;
      });
      assert.ok(client.accepted.bytesWritten > 0);
      assert.ok(buffered > 0 && buffered < 512 * 1024, `${buffered} bytes were buffered`);
      client.socket.destroy();
    });
  }
}

test('half-sent requests do not delay a shutdown', async () => {
  const other = await aisle.another();
  const { http } = other.aisle;
  const address = Number(new URL(await http.listen({ host: '127.0.0.1', port: 0 })).port);
  const isHandled = once(http.server, 'request');
  const sockets = ['', 'GET /v2/limits HTTP/1.1\r\nHost: a\r\n', `${uploadHead(chain, 1000)}{`].map((text) => {
    const socket = connect(address, '127.0.0.1').on('error', () => {});
    socket.write(text);
    return socket;
  });
  await isHandled;
  const isStopped = other.stop();
  const isLate = new Promise((resolve) => setTimeout(resolve, 8000, 'late').unref());
  assert.notEqual(await Promise.race([isStopped, isLate]), 'late');
  for (const socket of sockets) if (!socket.destroyed) await once(socket.resume(), 'close');
});

function uploadHead({ base, vendors, token }: TestChain, length: number): string {
  const head = [
    `PUT ${base}/vendors/${vendors[0]}/catalog HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n`;
}

let fileOfJob: Promise<string> | undefined;

/** A finished job with a 32 MiB file that compresses poorly. */
function largeFile(): Promise<string> {
  fileOfJob ??= (async () => {
    await addProducts(aisle, chain, plainProducts(2));
    const { job_id } = await runUpdate(aisle, chain, [
      { sku: 'SKU-00001', price: 2 },
      { sku: 'SKU-00002', price: 2 },
    ]);
    const rows = Array.from(
      { length: 4096 },
      (_, no) => `${randomBytes(120).toString('base64url')},,UPDATED,,${no},\n`,
    );
    await aisle.db.query('delete from job_file_parts where job_id = $1', [job_id]);
    await aisle.db.query(
      `insert into job_file_parts (chain_id, job_id, part_no, bytes) select $1, $2, n, $3 from generate_series(0, 50) n`,
      [chain.chainId, job_id, await compressPart(rows.join(''))],
    );
    return job_id as string;
  })();
  return fileOfJob;
}

type Client = { socket: Socket; accepted: Socket; text(): string; received: Promise<string> };

/** Sends the start of a request and never closes the client's side of the connection. */
async function open(head: string, start = ''): Promise<Client> {
  const accepting = once(aisle.aisle.http.server, 'connection') as Promise<[Socket]>;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  socket.write(head + start);
  const [accepted] = await accepting;
  const received = Promise.race([once(socket, 'end'), once(socket, 'close')]).then(() => text);
  received.catch(() => {});
  return { socket, accepted, text: () => text, received };
}

async function usedMemory(): Promise<number> {
  const { text } = await aisle.call('GET', '/metrics');
  return Number(/^aisle_large_body_bytes (\d+)$/m.exec(text)?.[1]);
}
