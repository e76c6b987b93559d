import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import test, { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGuard, loopback, parseNetwork } from './addresses.ts';
import { createHandshakeBudget } from './handshake-budget.ts';
import { exchangeWithNode } from './node-exchange.ts';
import { createOutbound, type OutboundOptions } from './outbound.ts';
import { timingsOf } from './timings.ts';
import { carrierOpener } from './tls-carrier.ts';
import { createTurns } from './turns.ts';

const open = createGuard(loopback);
const closers: (() => void)[] = [];
after(() => closers.forEach((close) => close()));

const refusals: [what: string, addresses: string[]][] = [
  ['a loopback address', ['127.0.0.1']],
  ['a private address after a public one', ['8.8.8.8', '10.0.0.1']],
  ['a public address after a private one', ['192.168.1.1', '8.8.8.8']],
  ['the metadata service', ['169.254.169.254']],
  ['a mapped address', ['::ffff:127.0.0.1']],
  ['an IPv6 loopback next to a public address', ['2606:4700::1111', '::1']],
];
for (const [what, addresses] of refusals) {
  test(`no connection is made to a hostname that resolves to ${what}`, async () => {
    const server = await serve(() => assert.fail('it was reached'));
    const outbound = make({ guard: createGuard([]), resolve: async () => addresses });
    const result = await post(outbound, `http://hooks.example:${server.port}/`);
    assert.deepEqual([result.kind, 'reason' in result && result.reason], ['failed', 'address_refused']);
  });
}

test('a literal address is checked again when sending', async () => {
  const server = await serve(() => assert.fail('it was reached'));
  const outbound = make({ guard: createGuard([]) });
  const result = await post(outbound, `http://127.0.0.1:${server.port}/`);
  assert.equal('reason' in result && result.reason, 'address_refused');
});

test('a hostname is resolved once, so its address cannot change between the check and the connection', async () => {
  const port = (await serve(() => assert.fail('the second address was reached'))).port;
  const target = await serve((_request, response) => response.end('checked'), '127.0.0.2', port);
  const responses = [['127.0.0.2'], ['127.0.0.1']];
  let lookups = 0;
  const guard = createGuard(parseNetwork('127.0.0.2/32') ?? []);
  const outbound = make({ guard, resolve: async () => responses[Math.min(lookups++, 1)] ?? [] });
  const result = await post(outbound, `http://rebinding.example:${target.port}/`);
  assert.equal(result.kind === 'responded' && String(result.beginning), 'checked');
  assert.equal(lookups, 1);
  // A second client has no open connection, so it resolves the name again, and the new address is rejected.
  const fresh = make({ guard, resolve: async () => responses[1] ?? [] });
  const again = await post(fresh, `http://rebinding.example:${target.port}/`);
  assert.equal('reason' in again && again.reason, 'address_refused');
});

test('an unknown hostname and a hostname without an address are reported as dns_failed', async () => {
  for (const resolve of [async () => [], async () => Promise.reject(new Error('ENOTFOUND'))]) {
    const result = await post(make({ guard: open, resolve }), 'http://unknown.example/');
    assert.equal('reason' in result && result.reason, 'dns_failed');
  }
});

test('a redirect is treated like any other response and is not followed', async () => {
  const trap = await serve(() => assert.fail('the redirect was followed'));
  const server = await serve((_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${trap.port}/` }).end();
  });
  const result = await post(make({ guard: open }), server.url);
  assert.equal(result.kind === 'responded' && result.status, 307);
});

test('a request times out at whatever stage the endpoint hangs', async () => {
  const silent = await serve(() => {});
  const drip = await listenRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('x-slow: 1\r\n'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  const deaf = await listenRaw(() => {});
  const started = performance.now();
  for (const { url } of [silent, drip, deaf]) {
    const result = await post(make({ guard: open, timeoutMs: 150 }), url);
    assert.equal('reason' in result && result.reason, 'timeout', url);
  }
  assert.ok(performance.now() - started < 10_000);
});

test('an endless response is truncated, and its beginning is kept', async () => {
  let written = 0;
  const server = await serve((_request, response) => {
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(1000))) written += 1000;
      response.once('drain', pour);
    };
    pour();
  });
  const result = await post(make({ guard: open }), server.url);
  assert.equal(result.kind === 'responded' && result.beginning.length, 1024);
  assert.ok(written < 50 * 1024 * 1024);
});

test('a response whose body never ends is recorded with its status after a short wait', async () => {
  const server = await serve((_request, response) => void response.write('{'));
  const started = performance.now();
  const result = await post(make({ guard: open, timeoutMs: 30_000 }), server.url);
  assert.equal(result.kind === 'responded' && result.status, 200);
  assert.ok(performance.now() - started < 20_000);
});

test('invalid HTTP, a reset and a closed port are reported as connection_failed', async () => {
  const babble = await listenRaw((socket) => void socket.end('hello\r\n\r\n'));
  const reset = await listenRaw((socket) => void socket.resetAndDestroy());
  const gone = await listenRaw(() => {});
  await new Promise<void>((resolve) => void gone.server.close(() => resolve()));
  for (const { url } of [babble, reset, gone]) {
    const result = await post(make({ guard: open }), url);
    assert.equal('reason' in result && result.reason, 'connection_failed', url);
  }
});

test('an untrusted certificate is reported as tls_failed', async () => {
  const plain = await serve((_request, response) => response.end());
  const result = await post(make({ guard: open }), plain.url.replace('http:', 'https:'));
  assert.equal('reason' in result && result.reason, 'tls_failed');
});

const handshakes: [what: string, answer: (socket: Socket) => void][] = [
  ['ends', (socket) => socket.end()],
  ['is reset', (socket) => socket.resetAndDestroy()],
  ['stalls', () => {}],
];
for (const [what, answer] of handshakes) {
  test(`a TLS handshake that ${what} is reported as tls_failed, with both clients`, async () => {
    const { port } = await listenRaw((socket) => void socket.once('data', () => answer(socket)));
    const url = `HTTPS://127.0.0.1:${port}/`;
    const timeoutMs = 2000;
    const lookup = () => assert.fail('the address is known');
    const openCarrier = carrierOpener(lookup, createHandshakeBudget(), createTurns());
    const request = { url: url.toLowerCase(), headers: {}, body: '', owner: '', endpoint: '', lookup, openCarrier };
    const [result, timings] = await Promise.all([
      post(make({ guard: open, timeoutMs }), url),
      exchangeWithNode(request, { timeoutMs, responseBytes: 1 }).then((exchanged) => exchanged.timings, timingsOf),
    ]);
    assert.equal('reason' in result && result.reason, 'tls_failed');
    assert.deepEqual([timings.connectMs === null, timings.tlsMs], [false, null]);
  });
}

test('a TLS handshake that stalls is reported as tls_failed although a later one with the endpoint has ended', async () => {
  const begun = Promise.withResolvers<void>();
  let count = 0;
  const { port } = await listenRaw((socket) => {
    count += 1;
    const answer = count === 1 ? begun.resolve : () => socket.end();
    socket.once('data', answer);
  });
  const outbound = make({ guard: open, timeoutMs: 2000 });
  const stalled = post(outbound, `https://127.0.0.1:${port}/`);
  await begun.promise;
  const results = await Promise.all([stalled, post(outbound, `https://127.0.0.1:${port}/`)]);
  assert.deepEqual(
    results.map((result) => 'reason' in result && result.reason),
    ['tls_failed', 'tls_failed'],
  );
});

test('a connection is reused, and an idle connection closed by the endpoint is not a failure', async () => {
  const ports = new Set<number | undefined>();
  const server = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('ok');
  });
  const outbound = make({ guard: open });
  for (let times = 0; times < 3; times++) {
    await post(outbound, server.url);
    await sleep(20); // A connection becomes idle one tick of the event loop after its response.
  }
  assert.equal(ports.size, 1);
  // Closes the connection silently, as load balancers do.
  server.onNext((request) => request.socket.resetAndDestroy());
  assert.equal((await post(outbound, server.url)).kind, 'responded');
  assert.equal(ports.size, 2);
});

test('a response that is interrupted on a new connection is a failure, and the message is not sent again', async () => {
  for (const response of ['HTTP/1.1 20', 'HTTP/1.1 200 OK\r\ncontent-le']) {
    let connections = 0;
    const broken = await listenRaw((socket) => {
      connections += 1;
      socket.end(response);
    });
    const result = await post(make({ guard: open }), broken.url);
    assert.deepEqual(['reason' in result && result.reason, connections], ['connection_failed', 1], response);
  }
});

test('timings tell a new connection from a reused one, and how far a failed exchange got', async () => {
  const server = await serve((_request, response) => response.end());
  const outbound = make({ guard: open, resolve: async () => ['127.0.0.1'] });
  const url = `http://hooks.example:${server.port}/`;
  const measured = async (target: string) =>
    Object.entries((await post(outbound, target)).timings).flatMap(([name, ms]) => (ms === null ? [] : [name]));
  assert.deepEqual(await measured(url), ['dnsMs', 'connectMs', 'firstByteMs']);
  // The connection is free again only after the callbacks of the first exchange.
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(await measured(url), ['firstByteMs']);
  const closed = await listenRaw(() => {});
  await new Promise((resolve) => closed.server.close(resolve));
  assert.deepEqual(await measured(`http://hooks.example:${closed.port}/`), ['dnsMs']);
});

function make(options: OutboundOptions) {
  const outbound = createOutbound(options);
  closers.push(outbound.close);
  return outbound;
}

function post(outbound: ReturnType<typeof createOutbound>, url: string) {
  return outbound.post({ url, headers: { 'content-type': 'application/json' }, body: '{}', owner: '', endpoint: '' });
}

test('an endpoint that sends an unsolicited 100 Continue gets the message, and later messages only once', async () => {
  let requests = 0;
  const server = await listenRaw((socket) => {
    socket.on('data', () => {
      requests += 1;
      socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      socket.end('HTTP/1.1 202 Accepted\r\nretry-after: 7\r\ncontent-length: 4\r\n\r\ndone');
    });
  });
  const outbound = make({ guard: open });
  const headers = { 'retry-after': '7', 'content-length': '4' };
  const expected = { kind: 'responded', status: 202, headers, beginning: Buffer.from('done'), isCut: false };
  const { timings, ...first } = await post(outbound, server.url);
  assert.deepEqual(first, expected);
  assert.ok(timings.connectMs !== null && timings.firstByteMs !== null, JSON.stringify(timings));
  const before = requests;
  const { timings: _timings, ...second } = await post(outbound, server.url);
  assert.deepEqual(second, expected);
  assert.equal(requests, before + 1);
});

test('an endpoint that sends only 100 Continue times out', async () => {
  const server = await listenRaw((socket) => {
    socket.on('data', () => socket.write('HTTP/1.1 100 Continue\r\n\r\n'));
  });
  const result = await post(make({ guard: open, timeoutMs: 300 }), server.url);
  assert.deepEqual([result.kind, 'reason' in result && result.reason], ['failed', 'timeout']);
});

test('an exchange ends if the endpoint sends 100 Continue and then switches protocols', {
  timeout: 30_000,
}, async () => {
  const server = await listenRaw((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    });
  });
  const outbound = make({ guard: open });
  for (let times = 0; times < 2; times++) {
    const result = await post(outbound, server.url);
    assert.equal('reason' in result && result.reason, 'connection_failed');
  }
});

test('an exchange ends if the endpoint sends 100 Continue and then closes the connection', async () => {
  const server = await listenRaw((socket) => {
    socket.once('data', () => void socket.end('HTTP/1.1 100 Continue\r\n\r\n'));
  });
  const result = await post(make({ guard: open }), server.url);
  assert.equal('reason' in result && result.reason, 'connection_failed');
});

test('a response after 100 Continue counts even if its body is still incomplete at the deadline', async () => {
  const server = await listenRaw((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 4\r\n\r\nhal');
    });
  });
  // Shorter than the time to wait for a body. A busy machine may need several tries to respond that fast.
  const outbound = make({ guard: open, timeoutMs: 900 });
  const statuses: unknown[] = [];
  while (statuses.length < 20 && !statuses.includes(202)) {
    const result = await post(outbound, server.url);
    statuses.push(result.kind === 'responded' ? result.status : result.reason);
  }
  assert.equal(statuses.at(-1), 202, String(statuses));
});

test('a response after 100 Continue counts even if its body is malformed', async () => {
  const server = await listenRaw((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write('HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n');
    });
  });
  const result = await post(make({ guard: open }), server.url);
  assert.equal(result.kind === 'responded' && result.status, 202);
});

for (const status of ['103 Early Hints', '100 Continue']) {
  test(`an endpoint that sends ${status} for ever is disconnected instead of being read until the deadline`, async () => {
    const information = `HTTP/1.1 ${status}\r\nlink: </a>\r\n\r\n`.repeat(20);
    const server = await listenRaw((socket) => {
      const timer = setInterval(() => socket.write(information), 5);
      socket.on('close', () => clearInterval(timer));
    });
    const outbound = make({ guard: open, timeoutMs: 3000 });
    for (let times = 0; times < 2; times++) {
      const result = await post(outbound, server.url);
      assert.equal('reason' in result && result.reason, 'connection_failed');
    }
  });
}

test('a body in tiny pieces is read only up to a limited number of pieces', async () => {
  const server = await listenRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    socket.write('1\r\nx\r\n'.repeat(1500));
  });
  const result = await post(make({ guard: open, responseBytes: 4096 }), server.url);
  assert.equal(result.kind === 'responded' && result.beginning.length, 1000);
  assert.equal(result.kind === 'responded' && result.isCut, true);
});

async function serve(listener: RequestListener, host = '127.0.0.1', port = 0) {
  let next: ((request: Parameters<RequestListener>[0]) => void) | undefined;
  const server = createServer((request, response) => {
    const once = next;
    next = undefined;
    if (once) return once(request);
    return listener(request, response);
  });
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const found = await listenOn(server, host, port);
  return { ...found, onNext: (once: NonNullable<typeof next>) => void (next = once) };
}

async function listenRaw(onConnection: (socket: import('node:net').Socket) => void) {
  const sockets = new Set<import('node:net').Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { ...(await listenOn(server, '127.0.0.1', 0)), server };
}

async function listenOn(server: Server, host: string, port: number) {
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const { port: found } = server.address() as AddressInfo;
  return { port: found, url: `http://${host}:${found}/` };
}
