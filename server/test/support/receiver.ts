import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from './wait.ts';

/** Somebody's webhook, on this machine: keeps what it gets, and answers as it is told. */
export type Receiver = {
  url: string;
  received: Received[];
  /** From now on; 200 unless told otherwise. */
  respondWith(how: Answering): void;
  /** The first `count` messages, once they are there. */
  waitFor(count: number, seconds?: number): Promise<Received[]>;
  close(): Promise<void>;
};

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
export type Received = { path: string; headers: IncomingHttpHeaders; text: string; body: any; at: number };
export type Answering = (response: ServerResponse, received: Received) => void;

export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const received: Received[] = [];
  let answering: Answering = (response) => response.end('{}');
  const server = createServer(async (request, response) => {
    const text = (await request.setEncoding('utf8').toArray()).join('');
    const one = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text), at: Date.now() };
    received.push(one);
    answering(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    received,
    respondWith(how) {
      answering = how;
    },
    async waitFor(count, seconds = 10) {
      await waitFor(`${count} messages`, () => received.length >= count, seconds);
      return received.slice(0, count);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An address that nobody listens at. */
export async function deadUrl(): Promise<string> {
  const receiver = await startReceiver();
  await receiver.close();
  assert.ok(receiver.url);
  return receiver.url;
}
