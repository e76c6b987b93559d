import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Route } from '@aisle/contract/route';
import { listStyle } from '../../tools/sdk/operations.ts';
import { parameterName, snake } from '../../tools/sdk-python/python.ts';
import { newId } from '../src/kernel/values/ids.ts';
import { assertMatches } from './support/declared.ts';
import {
  aisle,
  chain,
  exampleBody,
  exampleRequest,
  isPrepared,
  prepareChain,
  routes,
  tokenFor,
} from './support/every-route.ts';
import { hasPython, pythonPackage, startPython } from './support/python.ts';

/**
 * Calls every operation of the contract through the Python package, with the documented examples, as
 * every-operation.test.ts does for the SDK. A proxy records what was really sent and received.
 */
const isInstalled = hasPython();
const target = new URL(await aisle.aisle.http.listen({ host: '127.0.0.1', port: 0 }));
const recorder = await startRecorder();
after(() => recorder.stop());

type Reply = {
  status: number;
  data: unknown;
  first: unknown;
  code?: string;
  problem?: unknown;
  request_id?: string;
  file_name?: string;
  content_type?: string;
  text?: string;
};

test('the Python client has a method for every operation, and is tested if Python 3.10 or later is installed', (t) => {
  const text = readFileSync(join(pythonPackage, 'aisle_sdk/generated/operations.py'), 'utf8');
  const methods = new Set([...text.matchAll(/^ {4}def (\w+)\(/gm)].map(([, name]) => name));
  assert.deepEqual(
    routes.map(([id]) => snake(id)).filter((name) => !methods.has(name)),
    [],
  );
  if (!isInstalled) t.diagnostic('not run, because python3 (3.10 or later) is not installed: apt-get install python3');
});

if (isInstalled) walkOperations();

function walkOperations(): void {
  const python = startPython('tests/call_operations.py');
  after(() => python.stop());
  for (const [id, route] of routes) {
    test(`${id} returns through the Python package what the API returns`, async () => {
      assert.ok(isPrepared(route), 'a path parameter has no entry in support/every-route.ts');
      // Only operations that change something need a chain of their own.
      const of = route.method === 'GET' ? chain : await prepareChain();
      const body = await exampleBody(id, route, of);
      const token = await tokenFor(route, of, body);
      const input = await exampleRequest(route, of, token, {}, body);
      const call = { base_url: recorder.url, ...credentials(token), arguments: argumentsOf(input) };
      const reply = await python.ask<Reply>({ ...call, method: snake(id) });
      if (!Object.values(route.responses).some(({ schema }) => schema)) {
        checkDownload(route, reply);
        const { row } = route.responses[200] ?? {};
        if (!row) return;
        // A file that can be CSV has rows only as NDJSON.
        const isCsv = Object.hasOwn(route.query?.properties ?? {}, 'format');
        const asked = isCsv ? { ...call, arguments: { ...call.arguments, format: 'ndjson' } } : call;
        const { first } = await python.ask<Reply>({ ...asked, method: `${snake(id)}_rows`, is_iterated: true });
        return assertMatches(row, first);
      }
      assert.equal(reply.code, undefined, JSON.stringify(reply.problem));
      const declared = route.responses[reply.status as 200] ?? assert.fail(`${reply.status} is not declared`);
      assertMatches(declared.schema ?? assert.fail(), reply.data);
      const sent = recorder.last();
      assert.equal(sent.method, route.method);
      assert.deepEqual(reply.data, JSON.parse(sent.response));
      checkBody(route, sent.body, input.body);
      const list = listStyle(route);
      if (!list) return;
      for (const suffix of ['_all', '_pages']) {
        const { first } = await python.ask<Reply>({ ...call, method: `${snake(id)}${suffix}`, is_iterated: true });
        const page = JSON.parse(recorder.last().response);
        const items: unknown[] = list.style === 'array' ? page : page[list.items];
        assert.deepEqual(first, suffix === '_pages' ? page : (items[0] ?? null));
      }
    });

    if (route.access === 'public') continue;
    test(`${id} raises the problem that the API returns`, async () => {
      const params = { ...namesIn(route), chain_id: chain.chainId };
      const used = Object.fromEntries(Object.entries(params).filter(([name]) => route.path.includes(`{${name}}`)));
      const required = Object.fromEntries((route.query?.required ?? []).map((name) => [name, 'x']));
      const input = { params: used, query: required, body: route.body?.example };
      const call = { base_url: recorder.url, token: 'aisle_live_wrong', arguments: argumentsOf(input) };
      const reply = await python.ask<Reply>({ ...call, method: snake(id) });
      const problem = JSON.parse(recorder.last().response);
      assert.deepEqual(reply, { code: 'invalid_token', problem, request_id: problem.instance });
    });
  }
}

function checkDownload(route: Route, { content_type, file_name, text }: Reply): void {
  assert.ok(content_type?.startsWith(route.responses[200]?.mediaTypes?.[0] ?? '?'), content_type);
  assert.match(file_name ?? '', route.responses[200]?.mediaTypes?.[0] === 'text/csv' ? /\.csv$/ : /\.ndjson$/);
  assert.equal(text, recorder.last().response);
  assert.ok(text);
}

function checkBody(route: Route, sent: string, given: unknown): void {
  if (!route.body) return assert.equal(sent, '');
  if (route.body.form === 'urlencoded') {
    return assert.deepEqual(Object.fromEntries(new URLSearchParams(sent)), given);
  }
  if (typeof given === 'string') return assert.equal(sent, given);
  assert.deepEqual(sent === '' ? undefined : JSON.parse(sent), given);
}

/** A session is sent the way the portal and the console send it. */
function credentials(token: string): object {
  if (!token.startsWith('aisle_session_')) return { token };
  const cookie = `__Host-aisle_session=${token}; __Host-aisle_console=${token}`;
  return { headers: { cookie, origin: 'http://aisle.test', 'sec-fetch-site': 'same-origin' } };
}

function argumentsOf({ params, query, body }: { params: object; query: object; body?: unknown }): object {
  const all = [...Object.entries(params), ...Object.entries(query)].map(([name, value]) => [
    parameterName(name),
    value,
  ]);
  return { ...Object.fromEntries(all), ...(body !== undefined && { body }) };
}

/** Path parameters need not exist when the credentials are wrong. */
function namesIn(route: Route): Record<string, string> {
  return Object.fromEntries([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, newId()]));
}

/** A proxy that passes everything on, and keeps what was sent and received last, decompressed. */
async function startRecorder() {
  type Exchange = { method: string; body: string; response: string };
  let last: Exchange | undefined;
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url: path, headers } = incoming;
    const body = Buffer.concat(await incoming.toArray());
    const passedOn = sendRequest({ host: target.hostname, port: target.port, method, path, headers });
    passedOn.end(body);
    passedOn.once('response', async (response) => {
      const content = Buffer.concat(await response.toArray());
      last = {
        method,
        body: decompressed(body, headers['content-encoding']),
        response: decompressed(content, response.headers['content-encoding']),
      };
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      outgoing.end(content);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    last: () => last ?? assert.fail('nothing was sent'),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function decompressed(content: Buffer, encoding: string | undefined): string {
  return (encoding === 'gzip' ? gunzipSync(content) : content).toString();
}
