import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { createCli } from '../../support/cli.ts';
import { waitFor } from '../../support/wait.ts';

/** Responds to every path with what the test has set, and never to others. */
const bodies = new Map<string, unknown>();
const server = createServer((request, response) => {
  const path = new URL(request.url ?? '', 'http://a').pathname;
  const body = bodies.get(path);
  if (typeof body === 'function') (body as (response: ServerResponse) => void)(response);
  else if (body !== undefined) response.end(typeof body === 'string' ? body : JSON.stringify(body));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close().closeAllConnections());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const connected = { AISLE_URL: url, AISLE_TOKEN: 'aisle_live_5ecret' };

/** Moves the cursor, sets the title, starts colors, and reorders the text, with 7-bit and 8-bit codes. */
const evil = 'a\u001b[2J\u001b]0;owned\u0007\u009b2Jb\u202ec\u0000\r\nd';
// oxlint-disable-next-line no-control-regex
const escapes = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const whoami = {
  name: evil,
  kind: 'TOKEN',
  chain: { chain_id: 'c', name: evil, profile: 'tolerant' },
  vendor_ids: [evil],
  scopes: [evil],
  expires_at: null,
};
const problem = (response: ServerResponse) =>
  response.writeHead(409).end(JSON.stringify({ code: evil, detail: evil, errors: [{ pointer: evil, message: evil }] }));
const order = {
  order_id: evil,
  order_code: evil,
  status: evil,
  items: [{ _id: 'i', name: evil, sku: evil, status: evil, barcode: [], pricing: { quantity: 1 }, discount: 0 }],
  payment: { order_total: 1, currency: 'AED', type: evil },
  sys: { created_at: evil },
  client: { name: evil, store_id: evil },
  customer: { first_name: evil },
  comment: evil,
  cancellation: { reason: evil, cancelled_by: evil },
  promised_for: null,
  order_type: evil,
  transport_type: evil,
  allowed_actions: [{ by: evil, action: evil }],
};

test('text from the server and from files cannot control the terminal', async () => {
  bodies.set('/v2/whoami', whoami);
  bodies.set('/v2/chains/c/orders/search', { orders: [{ ...order, order_code: 'K7QD' }], total_pages: 1 });
  bodies.set('/v2/chains/c/catalog/jobs', problem);
  bodies.set('/v2/chains/c/tokens', (response: ServerResponse) => response.writeHead(500).end(evil));
  bodies.set('/v2/chains/c/status', { results: [{ vendor_id: evil, is_changed: true, outlet: { status: evil } }] });
  const cli = createCli(connected);
  writeFileSync(join(cli.folder, 'rows.json'), JSON.stringify([{ [evil]: 1 }]));
  writeFileSync(join(cli.folder, 'cut.json'), `[${evil}`);
  const commands = [
    ['login', '--url', url],
    ['whoami'],
    ['orders', 'list'],
    ['orders', 'get', 'K7QD'],
    ['orders', 'pick', 'K7QD', '--all'],
    ['jobs', 'list'],
    ['outlets', 'open', 'x'],
    ['catalog', 'push', join(cli.folder, 'rows.json'), '--store', 'x'],
    ['catalog', 'push', join(cli.folder, 'cut.json'), '--store', 'x'],
    ['promotions', 'put', join(cli.folder, 'cut.json')],
    ['orders', 'get', evil],
    [evil],
    ['orders', 'list', '--status', evil],
  ];
  for (const args of commands) {
    for (const format of [[], ['--json']]) {
      const { stdout, stderr } = await cli.run([...args, ...format]);
      assert.ok(stdout + stderr !== '', args.join(' '));
      assert.doesNotMatch(stdout + stderr, escapes, JSON.stringify([args, stdout, stderr]));
    }
  }
});

test('with --json, all errors are JSON, also wrong options', async () => {
  const cli = createCli(connected);
  const wrong = [
    ['orders', 'list', '--nope'],
    ['orders', 'get'],
    ['nope'],
    ['jobs', 'list', '--status', 'x'],
    ['orders'],
  ];
  for (const args of wrong) {
    const { exitCode, stdout, stderr } = await cli.run([...args, '--json']);
    assert.deepEqual([exitCode, stdout], [2, ''], args.join(' '));
    const { code, detail } = JSON.parse(stderr) as { code: string; detail: string };
    assert.ok(code === 'cli_error' && detail.length > 5 && !detail.startsWith('error:'), stderr);
  }
});

test('responses of another form are errors without a stack trace and without the token', async () => {
  const cli = createCli(connected);
  const forms = ['null', '[]', '{}', '5', '"x"', '{"chain":5}', '<html>', '', 'aisle_live_5ecret'];
  for (const form of forms) {
    bodies.set('/v2/whoami', form);
    for (const args of [['whoami'], ['outlets', 'list'], ['orders', 'list']]) {
      const { exitCode, stderr } = await cli.run(args);
      assert.ok(exitCode > 0, `${args.join(' ')}: ${form}`);
      assert.match(stderr, /^Error: [A-Z]/);
      assert.doesNotMatch(stderr, /^Error: Cannot|\.ts:\d+|5ecret/);
    }
  }
});

test('a token or an address with characters that cannot be sent is an error that does not repeat it', async () => {
  const cli = createCli({});
  const token = await cli.run(['whoami'], { env: { AISLE_URL: url, AISLE_TOKEN: 'aisle_live_5ecret\u200b' } });
  assert.doesNotMatch(token.stderr, /5ecret/);
  assert.match(token.stderr, /token/);
  const address = await cli.run(['whoami'], { env: { AISLE_URL: 'https://me:5ecret@example.com', AISLE_TOKEN: 'x' } });
  assert.deepEqual([address.exitCode, /5ecret/.test(address.stderr)], [2, false]);
});

test('Ctrl-C ends every command at once, also while it waits for a response', async () => {
  bodies.clear();
  const cli = createCli(connected);
  const file = join(cli.folder, 'rows.csv');
  writeFileSync(file, 'sku,price\nA,1\n');
  const job = '0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4';
  const commands = [
    ['orders', 'list'],
    ['orders', 'watch'],
    ['orders', 'pick', job],
    ['catalog', 'push', file, '--store', 's'],
    ['catalog', 'pull', '--store', 's'],
    ['jobs', 'watch', job],
    ['jobs', 'download', job],
    ['listen'],
    ['listen', '--replay', job, '--forward-to', url],
    ['trigger', 'order.received', '--store', 's'],
    ['webhooks', 'ping'],
    ['doctor'],
    ['login', '--url', url],
  ];
  const connections = () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  // A connection that is still open when the next command starts could be used by it, and then be closed.
  const noConnections = () => waitFor('no connections', async () => (await connections()) === 0, 10, 5);
  server.closeAllConnections();
  for (const args of commands) {
    await noConnections();
    const running = cli.start(args);
    await waitFor('a request', async () => (await connections()) > 0, 10, 5);
    running.stop();
    const { exitCode, stderr } = await running.ended;
    assert.equal(exitCode, 130, `${args.join(' ')}: ${stderr}`);
  }
});

test('a file is not left half written, and keeps what it had if the download fails', async () => {
  const job = '0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4';
  bodies.set('/v2/whoami', { chain: { chain_id: 'c' } });
  bodies.set(`/v2/chains/c/catalog/jobs/${job}/download`, (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('sku,price\n', () => response.destroy());
  });
  const cli = createCli(connected);
  const path = join(cli.folder, 'result.csv');
  const link = join(cli.folder, 'link.csv');
  writeFileSync(path, 'before');
  symlinkSync(path, link);
  const cut = await cli.run(['jobs', 'download', job, '-o', link]);
  assert.deepEqual([cut.exitCode, readFileSync(path, 'utf8')], [6, 'before']);
  bodies.set(`/v2/chains/c/catalog/jobs/${job}/download`, 'sku,price\n');
  const saved = await cli.run(['jobs', 'download', job, '-o', link]);
  assert.deepEqual([saved.exitCode, readFileSync(path, 'utf8')], [0, 'sku,price\n'], saved.stderr);
  assert.deepEqual(
    readdirSync(cli.folder).filter((name) => name.includes('.csv')),
    ['link.csv', 'result.csv'],
  );
  const device = await cli.run(['jobs', 'download', job, '-o', '/dev/null']);
  assert.deepEqual([device.exitCode, statSync('/dev/null').isFile()], [0, false]);
  const folder = await cli.run(['jobs', 'download', job, '-o', cli.folder]);
  assert.match(folder.stderr, /cannot be written/);
});

test('profiles can have any name that is readable, and built-in properties are not profiles', async () => {
  bodies.set('/v2/whoami', { name: 'x', kind: 'TOKEN', chain: { chain_id: 'c', name: 'x' } });
  const cli = createCli({});
  for (const name of ['__proto__', 'a\nb', '', 'x'.repeat(100), '../../etc', evil]) {
    const login = await cli.run(['login', '--url', url, `--profile=${name}`], { env: { AISLE_TOKEN: 'x' } });
    const isDefault = name === '';
    assert.equal(login.exitCode, isDefault ? 0 : 2, name);
  }
  for (const name of ['constructor', 'toString', '__proto__']) {
    const who = await cli.run(['whoami', '--profile', name]);
    assert.deepEqual([who.exitCode, who.stderr.includes('There is no profile named')], [2, true], who.stderr);
    assert.equal((await cli.run(['profile', 'use', name])).exitCode, 2);
    assert.equal((await cli.run(['profile', 'remove', name])).exitCode, 2);
  }
});

test('logins at the same time do not lose a profile, and the file stays private and where it was', async () => {
  const cli = createCli({});
  const config = join(cli.folder, 'config');
  mkdirSync(config);
  const real = join(cli.folder, 'real.json');
  writeFileSync(real, '{"profiles":{}}', { mode: 0o644 });
  symlinkSync(real, join(config, 'config.json'));
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
  const logins = names.map((name) =>
    cli.run(['login', '--url', url, '--profile', name], { env: { AISLE_TOKEN: 'x' } }),
  );
  for (const { exitCode, stderr } of await Promise.all(logins)) assert.equal(exitCode, 0, stderr);
  const { profiles } = JSON.parse(readFileSync(real, 'utf8')) as { profiles: object };
  assert.deepEqual(Object.keys(profiles).toSorted(), names.toSorted());
  assert.equal(statSync(real).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(config), ['config.json']);
});

test('a config file of another form is reported with its path', async () => {
  const cli = createCli({});
  const path = join(cli.folder, 'config/config.json');
  mkdirSync(join(cli.folder, 'config'));
  for (const text of [
    'null',
    '[]',
    '{"profiles":5}',
    '{"profiles":{"a":null},"current":"a"}',
    '{"profiles":{"a":{"url":5}}}',
  ]) {
    writeFileSync(path, text);
    const { exitCode, stderr } = await cli.run(['whoami', '--profile', 'a']);
    assert.equal(exitCode, 1, text);
    assert.ok(stderr.includes(path), stderr);
  }
  mkdirSync(join(cli.folder, 'data'));
  for (const text of ['{', 'null', '{"vendors":5}']) {
    writeFileSync(join(cli.folder, 'data/demo.json'), text);
    const { exitCode, stderr } = await cli.run(['whoami', '--demo']);
    assert.ok(exitCode === 1 && stderr.includes('demo.json'), stderr);
  }
  // Root can read every file.
  if (process.getuid?.() !== 0) {
    chmodSync(path, 0o000);
    assert.match((await cli.run(['whoami'])).stderr, /cannot be read/);
  }
  assert.ok(existsSync(path));
});
