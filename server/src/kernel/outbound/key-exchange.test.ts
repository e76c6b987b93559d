import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import test, { type TestContext } from 'node:test';
import { connect, createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { createHandshakeBudget } from './handshake-budget.ts';
import { quickKeyExchange } from './key-exchange.ts';
import { exchangeWithNode } from './node-exchange.ts';
import { createOutbound } from './outbound.ts';
import { carrierOpener } from './tls-carrier.ts';
import { createTurns } from './turns.ts';

const clients = {
  undici: (url: string) =>
    createOutbound({ guard: { isAllowed: () => true } }).post({ url, headers: {}, body: '', owner: '', endpoint: '' }),
  Node: (url: string) => {
    const limits = { timeoutMs: 10_000, responseBytes: 1 };
    const lookup = () => assert.fail('the address is known');
    const openCarrier = carrierOpener(lookup, createHandshakeBudget(), createTurns());
    return exchangeWithNode({ url, headers: {}, body: '', owner: '', endpoint: '', lookup, openCarrier }, limits).catch(
      () => {},
    );
  },
};
for (const [name, post] of Object.entries(clients)) {
  test(`an endpoint cannot choose a key exchange that blocks the process (${name})`, async (t) => {
    const server = createServer().listen(0, '127.0.0.1');
    t.after(() => server.close());
    await once(server, 'listening');
    const posted = post(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const [socket] = await once(server, 'connection');
    const [hello] = await once(socket, 'data');
    socket.destroy();
    await posted;
    const offered = cipherSuites(hello);
    assert.ok(offered.includes(ecdheRsaAes128));
    assert.deepEqual(
      offered.filter((suite) => dhe.has(suite)),
      [],
    );
  });
}

test('an endpoint cannot start a second handshake', async (t) => {
  const { socket } = await connectWithKey(t);
  const renegotiated = new Promise((resolve) => {
    socket.on('error', resolve);
    socket.renegotiate({}, (error) => resolve(error ?? 'renegotiated'));
  });
  socket.resume();
  assert.match(String(await renegotiated), /no renegotiation/);
});

/** A connection with the client's options. Both sides know a key, so no certificate is needed. */
async function connectWithKey(t: TestContext): Promise<{ client: TLSSocket; socket: TLSSocket }> {
  const psk = { ciphers: 'PSK', maxVersion: 'TLSv1.2' as const };
  const server = createTlsServer({ ...psk, pskCallback: () => Buffer.alloc(16) }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({
    ...quickKeyExchange,
    ...psk,
    port: (server.address() as AddressInfo).port,
    pskCallback: () => ({ psk: Buffer.alloc(16), identity: 'client' }),
    checkServerIdentity: () => undefined,
  });
  t.after(() => {
    client.destroy();
    server.close();
  });
  client.on('error', () => {});
  const [[socket]] = await Promise.all([once(server, 'secureConnection'), once(client, 'secureConnect')]);
  return { client, socket };
}

const ecdheRsaAes128 = 0xc02f;
/** The suites of Node's default list that use finite-field Diffie-Hellman. */
const dhe = new Set([0x33, 0x39, 0x67, 0x6b, 0x9e, 0x9f, 0xa2, 0xa3, 0xc09e, 0xc09f, 0xc0a2, 0xc0a3, 0xccaa]);

/** The cipher suites in a ClientHello: after the headers, the version, 32 random bytes and the session id. */
function cipherSuites(hello: Buffer): number[] {
  const start = 44 + hello.readUInt8(43);
  const length = hello.readUInt16BE(start) / 2;
  return Array.from({ length }, (_, index) => hello.readUInt16BE(start + 2 + 2 * index));
}
