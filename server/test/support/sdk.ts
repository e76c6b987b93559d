import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { type AisleClient, type ClientOptions, createClient } from '@aisle/sdk';
import type { TestAisle } from './aisle.ts';

export type Fetch = NonNullable<ClientOptions['fetch']>;

/** Lets the server listen on a port, and returns its URL. Can be called several times. */
export async function listen({ aisle: { http } }: Pick<TestAisle, 'aisle'>): Promise<string> {
  if (!http.server.listening) await http.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`;
}

/** A client of the server with this token. */
export async function clientOf(
  aisle: Pick<TestAisle, 'aisle'>,
  token: string,
  more: Partial<Omit<ClientOptions, 'token'>> = {},
): Promise<AisleClient> {
  return createClient({ ...more, baseUrl: await listen(aisle), token } as ClientOptions);
}

/**
 * The network between a client and the server. Each fault replaces one response or fails one request, in the order of
 * the requests; undefined lets a request through.
 */
export function faultyNetwork(...faults: (Fault | undefined)[]) {
  const sent: { method: string; path: string; headers: Record<string, string> }[] = [];
  const fetching: Fetch = async (url, init) => {
    const { pathname, search } = new URL(url);
    sent.push({ method: init.method ?? '', path: pathname + search, headers: init.headers as Record<string, string> });
    const fault = faults.shift();
    if (fault === 'not sent') throw new TypeError('fetch failed');
    if (typeof fault === 'object') return fault;
    const response = await fetch(url, init);
    if (fault !== 'response lost') return response;
    await response.arrayBuffer();
    throw new TypeError('fetch failed');
  };
  return { fetch: fetching, sent };
}

export type Fault = 'not sent' | 'response lost' | Response;

/** The error that the call throws. */
export async function errorOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  return assert.fail('the call succeeded');
}
