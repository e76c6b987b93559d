import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { waitFor } from './wait.ts';

/** A partner's webhook receiver on this machine. It records messages and sends the configured response. */
export type Receiver = {
  url: string;
  received: Received[];
  /** Sets the response to subsequent messages. The default is 200. */
  respondWith(newResponse: Respond): void;
  /** Waits until `count` messages have arrived, and returns them. */
  waitFor(count: number, seconds?: number): Promise<Received[]>;
  close(): Promise<void>;
};

// oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of every shape
export type Received = { path: string; headers: IncomingHttpHeaders; text: string; body: any; at: number };
export type Respond = (response: ServerResponse, received: Received) => void;

export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const received: Received[] = [];
  let respond: Respond = (response) => response.end('{}');
  const server = createServer(async (request, response) => {
    const text = (await request.setEncoding('utf8').toArray()).join('');
    const message = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text), at: Date.now() };
    received.push(message);
    respond(response, message);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    received,
    respondWith(newResponse) {
      respond = newResponse;
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

/** Starts receivers that are closed after the last test in the file. */
export function useReceivers(): (host?: string) => Promise<Receiver> {
  const receivers: Receiver[] = [];
  after(async () => {
    for (const receiver of receivers) await receiver.close();
  });
  return async (host) => {
    const receiver = await startReceiver(host);
    receivers.push(receiver);
    return receiver;
  };
}

/** Returns a URL on a port that no server listens on. */
export async function unusedUrl(): Promise<string> {
  const receiver = await startReceiver();
  await receiver.close();
  assert.ok(receiver.url);
  return receiver.url;
}
