import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Payer } from './handshake-budget.ts';
import { quickKeyExchange } from './key-exchange.ts';
import { hasTooMuchOverhead, maxReceivedBytes, pollMs, startCounting, ticketBytes, tooLong } from './limit-received.ts';
import type { ResponseHeaders } from './results.ts';
import type { OpenCarrier } from './tls-carrier.ts';
import { type ConnectionTimings, keepTimings, noConnection, timeConnection, type Timings } from './timings.ts';

/** The maximum duration, and how many bytes of the response body are kept. */
export type Limits = { timeoutMs: number; responseBytes: number };

export type NodeResponse = { status: number; headers: ResponseHeaders; beginning: Buffer; isCut: boolean };

type NodeRequest = Payer & {
  url: string;
  headers: Record<string, string>;
  body: string;
  lookup: LookupFunction;
  openCarrier: OpenCarrier;
};

/**
 * Sends a POST request with Node's own HTTP client, on a connection of its own. It is needed for endpoints that send
 * `100 Continue` although the request did not ask for it. HTTP allows that (RFC 9110, 15.2), but undici closes the
 * connection. Rejects if the request fails. If it times out, there is no response.
 */
export function exchangeWithNode(
  request: NodeRequest,
  { timeoutMs, responseBytes }: Limits,
): Promise<{ response?: NodeResponse; timings: Timings }> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    let connection: ConnectionTimings = noConnection;
    const { sent, carrier } = startRequest(request);
    const timer = setTimeout(() => {
      resolve({ timings: { ...connection, firstByteMs: null } });
      sent.destroy();
    }, timeoutMs);
    let hasResponse = false;
    const fail = (error: Error) => {
      if (hasResponse) return;
      keepTimings(error, connection);
      reject(error);
    };
    // Some responses close the connection without an error, so this is the only event that always happens.
    sent.once('close', () => {
      clearTimeout(timer);
      clearInterval(poll);
      fail(new Error('the connection was closed'));
    });
    sent.on('error', fail);
    sent.once('upgrade', (_response, socket) => {
      fail(new Error('the endpoint tried to switch protocols'));
      socket.destroy();
    });
    let informational = 0;
    sent.on('information', () => {
      informational += 1;
      if (informational > maxInformational) sent.destroy(new Error(tooManyInformational));
    });
    // The socket's data is parsed without events, so its size is polled.
    const checkReceived = (bytes: number) => {
      if (bytes > maxReceivedBytes) sent.destroy(new Error(tooLong));
    };
    const poll = setInterval(() => {
      if (!sent.socket) return;
      checkReceived(hasTooMuchOverhead(sent.socket) ? Infinity : sent.socket.bytesRead);
    }, pollMs);
    sent.once('socket', (socket) => {
      carrier?.carry(socket);
      connection = timeConnection(socket, carrier?.socket);
      socket.once('secureConnect', () => startCounting(socket));
      let tickets = 0;
      socket.on('session', () => checkReceived((tickets += ticketBytes)));
    });
    sent.once('response', (received) => {
      hasResponse = true;
      clearTimeout(timer);
      const firstByteMs = performance.now() - started;
      const timings = { ...connection, firstByteMs: Math.round(firstByteMs) };
      const waitMs = Math.min(lingerMs, timeoutMs - firstByteMs);
      void readBeginning(received, responseBytes, waitMs).then((response) => resolve({ response, timings }));
    });
    sent.end(request.body);
  });
}

function startRequest({ url, headers, owner, endpoint, lookup, openCarrier }: NodeRequest) {
  const options = { method: 'POST', headers, agent: false };
  if (!url.startsWith('https:')) return { sent: requestHttp(url, { ...options, lookup }) };
  const carrier = openCarrier(addressOf(url), { owner, endpoint });
  // The types do not say so, but all options are passed on to TLS.
  const tls: ConnectionOptions = { ...quickKeyExchange, socket: carrier.stream };
  return { sent: requestHttps(url, { ...options, ...tls }), carrier };
}

function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) };
}

/** Once the status is known, it determines the outcome, even if the connection breaks afterwards. */
async function readBeginning(response: IncomingMessage, responseBytes: number, waitMs: number): Promise<NodeResponse> {
  const timer = setTimeout(() => response.destroy(), waitMs);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > responseBytes) break;
    }
  } catch {
    // The bytes received so far are enough.
  } finally {
    clearTimeout(timer);
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    beginning: Buffer.concat(chunks).subarray(0, responseBytes),
    isCut: length > responseBytes,
  };
}

/** How long to wait for the end of a body. */
export const lingerMs = 1000;

/** An endpoint that sends `103 Early Hints` or `100 Continue` for ever would keep the process busy. */
export const maxInformational = 10;
export const tooManyInformational = `the endpoint sent more than ${maxInformational} informational responses`;
