import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { once } from 'node:events';
import { makeFolder } from './support/folder.ts';
import { pathWithServers, reportMissing, versionOf } from './support/installed.ts';
import { root } from './support/launch.ts';
import { freePort } from './support/program.ts';
import { configureSample } from './support/proxy-sample.ts';
import { waitFor, within } from './support/wait.ts';

/** What clients without a token, or clients that do not read, can do to the proxies of deploy/, which CI installs. */
const versions = { nginx: versionOf('nginx', '-v'), haproxy: versionOf('haproxy', '-v') };
const { folder, remove } = makeFolder();
const sockets: Socket[] = [];
let respond: (request: IncomingMessage, response: ServerResponse) => void;
/** Takes the place of the API processes. */
const upstream = createServer((request, response) => respond(request, response));
let upstreamPort: number;

test('the sample configurations are tested where nginx and haproxy are installed', (t) => reportMissing(t, versions));

before(async () => {
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  upstreamPort = (upstream.address() as AddressInfo).port;
});

after(() => {
  for (const socket of sockets) socket.destroy();
  upstream.close();
  upstream.closeAllConnections();
  remove();
});

if (versions.nginx !== undefined) {
  test('nginx passes a large upload on before it is complete, so that a process can reject it', async () => {
    respond = (request, response) => {
      request.resume();
      response.writeHead(401).end();
    };
    await behindNginx(async (port) => {
      for (const path of ['files', 'catalog', 'promotion', 'vendors/4/catalog']) {
        const socket = open(port);
        const headers = 'host: a\r\ncontent-type: text/csv\r\ncontent-length: 1000000000';
        socket.write(`POST /v2/chains/1/${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
        socket.write(Buffer.alloc(100_000));
        const [received] = await within(20, `a response to ${path}`, once(socket, 'data'));
        assert.match(String(received), /^HTTP\/1.1 401 /);
        socket.destroy();
      }
    });
  });

  test('nginx does not store a response that the client does not read', async () => {
    let hasFinished = false;
    const path = '/v2/chains/1/catalog/jobs/2/download';
    respond = (request, response) => {
      const isDownload = request.url === path;
      if (isDownload) response.once('finish', () => (hasFinished = true));
      response.end(isDownload ? Buffer.alloc(64 * 1024 * 1024) : '');
    };
    await behindNginx(async (port) => {
      const socket = open(port);
      socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
      await within(20, 'the beginning of the response', once(socket, 'readable'));
      // Takes longer than nginx needs to store all of it.
      for (let count = 0; count < 500; count++) await read(port);
      assert.equal(hasFinished, false);
      socket.destroy();
    });
  });
}

if (versions.haproxy !== undefined) {
  test('a client cannot use all connections of haproxy', async () => {
    respond = (_request, response) => void response.end();
    await behindHaproxy(async (port) => {
      let closed = 0;
      for (let count = 0; count < 220; count++) {
        open(port).once('close', () => (closed += 1));
      }
      await waitFor(20, 'the last connections to be closed', () => closed >= 15 || undefined);
      assert.ok(closed <= 30, `${closed} were closed`);
    });
  });

  test('haproxy repeats a request whose process has died only if that has no further effect', async () => {
    let received = 0;
    respond = (request, response) => {
      request.resume().once('end', () => {
        received += 1;
        if (received === 1 && request.url === '/orders') request.socket.destroy();
        else response.writeHead(201).end();
      });
    };
    await behindHaproxy(async (port) => {
      const url = `http://127.0.0.1:${port}/orders`;
      const send = async (options: RequestInit) => {
        received = 0;
        const { status } = await fetch(url, options);
        return [status, received];
      };
      assert.deepEqual(await send({ method: 'POST', body: '{}' }), [502, 1]);
      assert.deepEqual(await send({ method: 'PATCH', body: '{}', headers: { 'idempotency-key': 'two' } }), [502, 1]);
      assert.deepEqual(await send({ method: 'POST', body: '{}', headers: { 'idempotency-key': 'one' } }), [201, 2]);
      assert.deepEqual(await send({ method: 'PUT', body: '{}' }), [201, 2]);
      assert.deepEqual(await send({}), [201, 2]);
    });
  });
}

async function behindHaproxy(work: (port: number) => Promise<void>): Promise<void> {
  const port = await freePort();
  const file = configureSample('deploy/haproxy/haproxy.cfg', { folder, port, upstreams: [upstreamPort, upstreamPort] });
  await behind(['haproxy', '-db', '-f', file], port, () => work(port));
}

async function behindNginx(work: (port: number) => Promise<void>): Promise<void> {
  const port = await freePort();
  cpSync(join(root, 'deploy/nginx'), folder, { recursive: true });
  const file = configureSample('deploy/nginx/nginx.conf', { folder, port, upstreams: [upstreamPort, upstreamPort] });
  await behind(['nginx', '-p', folder, '-c', file, '-g', 'daemon off;'], port, () => work(port));
}

async function behind([program = '', ...args]: string[], port: number, work: () => Promise<void>): Promise<void> {
  const child = spawn(program, args, { env: { ...process.env, PATH: pathWithServers }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    await waitFor(10, `${program} to listen`, () => read(port).catch(() => undefined));
    await work();
  } finally {
    child.kill('SIGTERM');
    await within(10, `${program} to stop`, ended);
  }
}

async function read(port: number): Promise<true> {
  const sent = get({ host: '127.0.0.1', port, path: '/', agent: false });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'close');
  return true;
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  return socket;
}
