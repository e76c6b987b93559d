import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { createServer, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { type Issued, issueCertificate } from '../../../test/support/certificates.ts';
import { guardedLookup } from './guarded-lookup.ts';
import { createHandshakeBudget } from './handshake-budget.ts';
import { tooLong } from './limit-received.ts';
import { exchangeWithNode } from './node-exchange.ts';
import { createOutbound, type OutboundResult } from './outbound.ts';
import { carrierOpener, handshakeTooLong, maxHandshakeBytes } from './tls-carrier.ts';
import { createTurns, type InTurn } from './turns.ts';

const trusted = issueCertificate('localhost');
setDefaultCACertificates([trusted.cert]);

test('an endpoint with a certificate gets messages on one connection', async (t) => {
  let connections = 0;
  const { post } = await serve(t, trusted, (socket) => {
    connections += 1;
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello'));
  });
  const first = await post();
  await new Promise(setImmediate);
  const results = [first, await post()];
  assert.deepEqual(results.map(describe), ['200 hello', '200 hello']);
  assert.deepEqual([connections, results.map(({ timings }) => timings.tlsMs === null)], [1, [false, true]]);
});

test('an endpoint whose certificates are too long fails during the handshake, with both clients', async (t) => {
  const cert = trusted.cert.repeat(maxHandshakeBytes / 256);
  const { url, lookup, post } = await serve(t, { ...trusted, cert }, () => assert.fail('the handshake has ended'));
  const result = await post();
  assert.deepEqual([describe(result), 'reason' in result && result.reason], [handshakeTooLong, 'tls_failed']);
  const openCarrier = carrierOpener(lookup, createHandshakeBudget(), createTurns());
  const request = { url, headers: {}, body: '', owner: '', endpoint: '', lookup, openCarrier };
  const withNode = exchangeWithNode(request, { timeoutMs: 20_000, responseBytes: 1 });
  await assert.rejects(withNode, { message: handshakeTooLong });
});

for (const client of ['undici', 'Node']) {
  test(`an endpoint that sends tiny TLS records without an end fails at once (${client})`, async (t) => {
    let sent = 0;
    const { post } = await serve(t, trusted, async (socket) => {
      await once(socket, 'data');
      // After this, the request is sent again with Node's client.
      if (client === 'Node') await send(socket, 'HTTP/1.1 100 Continue\r\n\r\n');
      await send(socket, 'HTTP/1.1 200 ');
      for (; !socket.destroyed; sent += 1) await send(socket, 'a');
    });
    assert.equal(describe(await post()), tooLong);
    assert.ok(sent < 10_000, `${sent}`);
  });
}

test('if handshakes of an owner take long, those that have begun fail, and other owners are not affected', async (t) => {
  const { post } = await serve(t, issueSlowCertificates(), () => {});
  const results = (await Promise.all(Array.from({ length: 30 }, () => post('hostile')))).map(describe);
  const verified = results.filter((result) => result === 'self-signed certificate in certificate chain');
  const held = results.filter(isHeld);
  assert.deepEqual([verified.length < 10, verified.length + held.length], [true, 30]);
  assert.equal(describe(await post('other')), 'self-signed certificate in certificate chain');
});

for (const client of ['undici', 'Node']) {
  test(`if handshakes with an endpoint take long, the owner's other endpoints are still reached (${client})`, async (t) => {
    const before = client === 'Node' ? 'HTTP/1.1 100 Continue\r\n\r\n' : '';
    const usual = await serve(t, trusted, (socket) =>
      socket.on('data', () => socket.end(`${before}HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n`)),
    );
    const { post } = await serve(t, issueSlowCertificates(), () => {});
    const postToUsual = (endpoint: string) => post('chain', endpoint, usual.url);
    assert.equal(describe(await postToUsual('usual')), '200 ');
    for (let result = ''; !isHeld(result); ) result = describe(await post('chain', 'slow'));
    assert.deepEqual(
      [describe(await postToUsual('usual')), isHeld(describe(await postToUsual('new')))],
      ['200 ', true],
    );
  });
}

for (const client of ['undici', 'Node']) {
  test(`connections are opened in turns, and so are their handshakes (${client})`, async (t) => {
    const opened: string[] = [];
    const waiting: (() => void)[] = [];
    const inTurn: InTurn = (owner, work) => {
      opened.push(owner);
      waiting.push(work);
    };
    let connections = 0;
    const respond = (socket: TLSSocket) => {
      connections += 1;
      const before = client === 'Node' ? 'HTTP/1.1 100 Continue\r\n\r\n' : '';
      socket.on('data', () => socket.write(`${before}HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello`));
    };
    const { post } = await serve(t, trusted, respond, inTurn);
    let result: OutboundResult | undefined;
    void post('chain').then((ended) => (result = ended));
    await new Promise(setImmediate);
    assert.deepEqual([opened, connections], [['chain'], 0]);
    while (!result) {
      waiting.shift()?.();
      await new Promise(setImmediate);
    }
    assert.equal(describe(result), '200 hello');
    // Opening a connection, and at least one piece of its handshake.
    assert.ok(opened.length >= 2 * connections, `${opened.length} turns`);
  });
}

/** Verifying a signature with it takes about a hundred times as long as with a usual one. */
const slowCurve = 'sect571r1';

function issueSlowCertificates(): Issued {
  const chain = [issueCertificate('root', slowCurve)];
  for (let n = 0; n < 12; n++) chain.unshift(issueCertificate(String(n), slowCurve, chain[0]));
  const issued = issueCertificate('localhost', 'P-256', chain[0]);
  return { ...issued, cert: [issued, ...chain].map((one) => one.cert).join('') };
}

function isHeld(result: string): boolean {
  return result.startsWith('TLS handshakes took too long');
}

async function serve(
  t: TestContext,
  { cert, key }: Pick<Issued, 'cert' | 'key'>,
  respond: (socket: TLSSocket) => void,
  inTurn: InTurn = createTurns(),
) {
  const server = createServer({ cert, key }, (socket) => {
    socket.on('error', () => {});
    respond(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const guard = { isAllowed: () => true };
  const resolve = async () => ['127.0.0.1'];
  const outbound = createOutbound({ guard, resolve, timeoutMs: 20_000, inTurn });
  t.after(() => {
    outbound.close();
    server.close();
  });
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    lookup: guardedLookup(guard, resolve),
    post: (owner = '', endpoint = '', to = url) => outbound.post({ url: to, headers: {}, body: '{}', owner, endpoint }),
  };
}

function send(socket: TLSSocket, text: string): Promise<unknown> {
  return new Promise((next) => socket.write(text, next));
}

function describe(result: OutboundResult): string {
  return result.kind === 'responded' ? `${result.status} ${result.beginning.toString()}` : result.detail;
}
