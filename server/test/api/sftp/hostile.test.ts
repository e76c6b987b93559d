import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test, { mock } from 'node:test';
import ssh2, { type ClientChannel } from 'ssh2';
import { callerFor, makeChain } from '../../support/aisle.ts';
import { connectSftp, connectSsh, makeSftpUser, promised, type SftpClient, useSftp } from '../../support/sftp.ts';
import { waitFor } from '../../support/wait.ts';

/**
 * Attempts that a server on the Internet sees, or that an attacker with an account can make. Each is refused with the
 * right SFTP status and is logged.
 */
// A client of these tests leaves requests behind, which a shutdown would wait for.
const aisle = await useSftp({ AISLE_SHUTDOWN_SECONDS: '1' });
const chain = await makeChain(aisle);
const otherChain = await makeChain(aisle);
const user = await makeSftpUser(aisle, chain);
const sftp = await connectSftp(aisle.port, user);
const [store = ''] = chain.vendors;
const { NO_SUCH_FILE, PERMISSION_DENIED, FAILURE, BAD_MESSAGE, OP_UNSUPPORTED } = ssh2.utils.sftp.STATUS_CODE;
const inbox = `/catalog/${store}`;

type Attempt = [name: string, status: number, attempt: (sftp: SftpClient) => Promise<unknown>];

const attempts: Attempt[] = [
  ['reading a file outside of the folders', NO_SUCH_FILE, () => sftp.open('/etc/passwd', 'r')],
  ['leaving the root with ..', NO_SUCH_FILE, () => sftp.open('/../../../etc/passwd', 'r')],
  ['leaving a folder with ..', NO_SUCH_FILE, () => sftp.open(`${inbox}/../../../../etc/shadow`, 'w')],
  ['a backslash in a name', NO_SUCH_FILE, () => sftp.open(`${inbox}/..\\..\\windows.csv`, 'w')],
  ['U+0000 in a name', NO_SUCH_FILE, () => sftp.open(`${inbox}/a.csv\0.part`, 'w')],
  ['a line break in a name', NO_SUCH_FILE, () => sftp.open(`${inbox}/a\n.csv`, 'w')],
  ['a path of 100,000 characters', NO_SUCH_FILE, () => sftp.open(`/${'a/'.repeat(50_000)}`, 'r')],
  ['a name of 900 characters', FAILURE, () => sftp.open(`${inbox}/${'n'.repeat(900)}`, 'w')],
  ['a folder in an inbox', NO_SUCH_FILE, () => sftp.open(`${inbox}/folder/a.csv`, 'w')],
  ['a file in the root', NO_SUCH_FILE, () => sftp.open('/a.csv', 'w')],
  ['a file in /catalog without a store', NO_SUCH_FILE, () => sftp.open('/catalog/a.csv/b.csv', 'w')],
  ["another chain's store", NO_SUCH_FILE, () => sftp.open(`/catalog/${otherChain.vendors[0]}/a.csv`, 'w')],
  ["another chain's export", NO_SUCH_FILE, () => sftp.open(`/exports/${otherChain.vendors[0]}/catalog.csv`, 'r')],
  ["another chain's result", NO_SUCH_FILE, () => sftp.open(`/results/${otherChain.chainId}.csv`, 'r')],
  ['SQL in the name of a store', NO_SUCH_FILE, () => sftp.open("/catalog/' or 1=1 --/a.csv", 'w')],
  ['writing a result', PERMISSION_DENIED, () => sftp.open(`/results/a.csv`, 'w').catch(asDenied)],
  ['writing an export', PERMISSION_DENIED, () => sftp.open(`/exports/${store}/catalog.csv`, 'w')],
  ['writing a template', PERMISSION_DENIED, () => sftp.open(`${inbox}/TEMPLATE.csv`, 'w')],
  ['deleting a template', PERMISSION_DENIED, () => sftp.remove(`${inbox}/TEMPLATE.csv`)],
  ['deleting an export', PERMISSION_DENIED, () => sftp.remove(`/exports/${store}/catalog.csv`)],
  ['deleting a folder as a file', FAILURE, () => sftp.remove(inbox)],
  ['renaming an export', PERMISSION_DENIED, () => sftp.rename(`/exports/${store}/catalog.csv`, `${inbox}/a.csv`)],
  ['renaming a folder', PERMISSION_DENIED, () => sftp.rename(inbox, '/catalog/mine')],
  ['renaming a file that does not exist', NO_SUCH_FILE, () => sftp.rename(`${inbox}/x.part`, `${inbox}/x.csv`)],
  ['moving a file to another folder', PERMISSION_DENIED, moveToAnotherFolder],
  ['renaming a file while it is open', FAILURE, renameOpenFile],
  ['creating a folder', PERMISSION_DENIED, () => promised((done) => sftp.raw.mkdir('/catalog/new', done as never))],
  ['creating a folder that exists', FAILURE, () => promised((done) => sftp.raw.mkdir('/catalog', done as never))],
  ['deleting a folder', PERMISSION_DENIED, () => promised((done) => sftp.raw.rmdir('/catalog', done as never))],
  [
    'a symbolic link',
    OP_UNSUPPORTED,
    () => promised((done) => sftp.raw.symlink('/etc', '/catalog/etc', done as never)),
  ],
  ['reading a link', OP_UNSUPPORTED, () => promised((done) => sftp.raw.readlink('/catalog', done as never))],
  ['listing a file', FAILURE, () => sftp.list(`${inbox}/TEMPLATE.csv`)],
  ['opening a folder as a file', PERMISSION_DENIED, () => sftp.open(inbox, 'r')],
  ['reading back an upload', PERMISSION_DENIED, readBack],
  ['truncating a file', PERMISSION_DENIED, truncate],
  ['a handle that was never opened', FAILURE, () => sftp.close(Buffer.from([0, 0, 255, 255]))],
  ['an empty handle', FAILURE, () => sftp.close(Buffer.alloc(0))],
  ['a handle of 200 bytes', FAILURE, () => sftp.close(Buffer.alloc(200, 1))],
  ['a handle that was closed', FAILURE, closeTwice],
  ['reading from an upload', PERMISSION_DENIED, readUpload],
  ['writing to a file opened for reading', PERMISSION_DENIED, writeTemplate],
  ['reading a folder as a file', PERMISSION_DENIED, readFolderAsFile],
  ['closing a file with a gap', FAILURE, () => writeAt(1)],
  ['writing far beyond the end of a file', FAILURE, () => writeAt(5_000_000)],
  ['writing at an offset of 2^53', FAILURE, () => writeAt(2 ** 53)],
  ['leaving hundreds of gaps in a file', FAILURE, leaveGaps],
  ['overwriting the beginning of a file', FAILURE, overwriteStart],
  ['opening 1,000 files', FAILURE, openManyFiles],
];
for (const [name, status, attempt] of attempts) {
  test(`${name} is refused`, async () => {
    const before = await countRefusals();
    await assert.rejects(attempt(sftp), (error: Error & { code?: unknown }) => {
      assert.equal(error.code, status, error.message);
      return true;
    });
    // The number of log lines per connection is limited, but every refusal is counted.
    await waitFor('a refusal', async () => (await countRefusals()) > before, 30);
  });
}

test('none of the attempts created a job', async () => {
  const { body } = await callerFor(aisle, chain)('GET', '/files?state=ACCEPTED');
  assert.deepEqual(body.files, []);
});

const packets: [name: string, status: number | 'closed', bytes: Buffer][] = [
  ['an unknown extension', OP_UNSUPPORTED, packet(200, uint32(1), text('copy-data'), text('x'))],
  [
    'an extension that reads the file system',
    OP_UNSUPPORTED,
    packet(200, uint32(1), text('statvfs@openssh.com'), text('/')),
  ],
  ['a hard link', OP_UNSUPPORTED, packet(200, uint32(1), text('hardlink@openssh.com'), text('/a'), text('/b'))],
  ['a rename extension without paths', BAD_MESSAGE, packet(200, uint32(1), text('posix-rename@openssh.com'))],
  ['a change of attributes with a truncated path', BAD_MESSAGE, packet(9, uint32(1), uint32(1000), uint32(0))],
  ['an offset of 2^64 - 1', FAILURE, packet(6, uint32(1), text('none'), Buffer.alloc(8, 0xff), text('x'))],
  ['a request without fields', 'closed', packet(3)],
  ['a truncated string', 'closed', packet(17, uint32(1), uint32(1_000_000), Buffer.from('/'))],
  ['an unknown type of request', 'closed', packet(99, uint32(1))],
  ['a second SSH_FXP_INIT', 'closed', packet(1, uint32(3))],
  ['a packet without content', 'closed', uint32(0)],
  ['a packet of 2 GB', 'closed', Buffer.concat([uint32(0x7fffffff), Buffer.alloc(1000)])],
  ['a packet of 300 kB', 'closed', packet(6, uint32(1), text('x'), Buffer.alloc(8), text('x'.repeat(300_000)))],
];
for (const [name, expected, bytes] of packets) {
  test(`${name} is refused, and the server continues`, async () => {
    const { client, channel, next } = await openRaw();
    channel.write(packet(1, uint32(3)));
    assert.equal((await next())[0], 2);
    channel.write(bytes);
    const reply = await next();
    if (expected === 'closed') assert.equal(reply.length, 0);
    else assert.deepEqual([reply[0], reply.readUInt32BE(5)], [101, expected]);
    client.end();
    assert.ok((await sftp.list('/')).length > 0);
    assert.ok(countLines('sftp.refused') > 0);
  });
}

test('a request before SSH_FXP_INIT closes the channel', async () => {
  const { client, channel, next } = await openRaw();
  channel.write(packet(17, uint32(1), text('/')));
  assert.equal((await next()).length, 0);
  client.end();
});

test('more channels than allowed are refused', async () => {
  const client = await connectSsh(aisle.port, await makeSftpUser(aisle, chain));
  const open = () => promised((done) => client.sftp(done));
  for (let count = 0; count < 10; count++) await open();
  await assert.rejects(open(), /Channel open failure/);
  client.end();
});

test('a channel for tiny packets cannot use SFTP', async () => {
  for (const size of [1, 0]) {
    const client = await connectSsh(aisle.port, await makeSftpUser(aisle, chain));
    const before = countLines('sftp.refused');
    const open = Buffer.concat([Buffer.from([90]), text('session'), uint32(100), uint32(1_000_000), uint32(size)]);
    sendPacket(client, open);
    const subsystem = [text('subsystem'), Buffer.from([1]), text('sftp')];
    sendPacket(client, Buffer.concat([Buffer.from([98]), uint32(0), ...subsystem]));
    await waitFor('a refusal', () => countLines('sftp.refused') > before, 30);
    client.destroy();
  }
});

test('closed channels without SFTP, which ssh2 does not forget, are counted too', async () => {
  const client = await connectSsh(aisle.port, await makeSftpUser(aisle, chain));
  const before = countLines('sftp.refused');
  const open = Buffer.concat([Buffer.from([90]), text('session'), uint32(100), uint32(1_000_000), uint32(30_000)]);
  for (let channel = 0; channel < 11; channel++) {
    sendPacket(client, open);
    sendPacket(client, Buffer.concat([Buffer.from([97]), uint32(channel)]));
  }
  await waitFor('a refusal', () => countLines('sftp.refused') > before, 30);
  client.destroy();
});

test('bytes that are not SSH end the connection', async () => {
  const socket = connect(aisle.port, '127.0.0.1')
    .on('error', () => {})
    .resume();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1000));
  await once(socket, 'close');
  assert.ok((await sftp.list('/')).length > 0);
});

test('a client that requests data and never reads it does not affect other clients', async () => {
  const login = await makeSftpUser(aisle, chain);
  const session = await connectSftp(aisle.port, login);
  const handle = await session.open(`${inbox}/TEMPLATE.csv`, 'r');
  const socket = (session.client as unknown as { _sock: import('node:net').Socket })._sock;
  socket.pause();
  for (let count = 0; count < 3000; count++) session.read(handle, 0, 30_000).catch(() => {});
  // Another client is served as usual.
  assert.ok((await sftp.list('/')).length > 0);
  await session.destroy();
});

test('a client that sends packets without logging in is disconnected', async () => {
  const client = new ssh2.Client().on('error', () => {});
  const closed = once(client, 'close');
  client.connect({ host: '127.0.0.1', port: aisle.port, username: 'unknown', authHandler: () => undefined });
  await once(client, 'handshake');
  const { _protocol: protocol } = client as unknown as { _protocol: { ping(): void } };
  for (let count = 0; count < 5000; count++) protocol.ping();
  await closed;
  assert.ok((await sftp.list('/')).length > 0);
});

test('a client that sends packets of servers, before the login, is disconnected', async () => {
  const change = [text('other'), text('ssh-connection'), text('password'), Buffer.from([1]), text('old'), text('new')];
  const login = Buffer.concat([Buffer.from([50]), ...change]);
  const failure = Buffer.concat([Buffer.from([51]), text(''), Buffer.from([0])]);
  const hostKeys = Buffer.concat([Buffer.from([80]), text('hostkeys-00@openssh.com'), Buffer.from([0]), text('key')]);
  for (const packets of [[login, failure], [failure], [hostKeys]]) {
    const client = new ssh2.Client().on('error', () => {});
    const closed = once(client, 'close');
    client.connect({ host: '127.0.0.1', port: aisle.port, username: 'unknown', authHandler: () => undefined });
    await once(client, 'handshake');
    for (const payload of packets) sendPacket(client, payload);
    await closed;
  }
  assert.ok((await sftp.list('/')).length > 0);
});

test('a deleted user cannot log in again', async () => {
  const gone = await makeSftpUser(aisle, chain);
  await callerFor(aisle, chain)('DELETE', `/sftp-users/${gone.sftp_user_id}`);
  await assert.rejects(connectSsh(aisle.port, gone), /authentication methods failed/);
});

test('the login methods none and keyboard-interactive are refused', async () => {
  for (const type of ['none', 'keyboard-interactive'] as const) {
    const authHandler = [{ type, username: user.username, prompt: () => {} }] as never;
    await assert.rejects(connectSsh(aisle.port, { username: user.username }, { authHandler }));
  }
});

/** Sends a packet of SSH, not of SFTP. */
function sendPacket(client: ssh2.Client, payload: Buffer): void {
  const { _protocol: protocol } = client as unknown as {
    _protocol: {
      _cipher: { encrypt(packet: Buffer): void };
      _packetRW: { write: { allocStart: number; alloc(size: number): Buffer; finalize(packet: Buffer): Buffer } };
    };
  };
  const { write } = protocol._packetRW;
  const bytes = write.alloc(payload.length);
  payload.copy(bytes, write.allocStart);
  protocol._cipher.encrypt(write.finalize(bytes));
}

function asDenied(error: Error & { code?: number }): never {
  // A result that does not exist cannot be written either.
  if (error.code === NO_SUCH_FILE) throw Object.assign(error, { code: PERMISSION_DENIED });
  throw error;
}

async function moveToAnotherFolder() {
  await sftp.put(`${inbox}/moved.part`, 'x');
  await sftp.rename(`${inbox}/moved.part`, '/products/moved.csv');
}

async function renameOpenFile() {
  const handle = await sftp.open(`${inbox}/open.part`, 'w');
  try {
    await sftp.rename(`${inbox}/open.part`, `${inbox}/open.csv`);
  } finally {
    await sftp.close(handle);
  }
}

async function readBack() {
  await sftp.put(`${inbox}/secret.part`, 'x');
  await sftp.open(`${inbox}/secret.part`, 'r');
}

async function truncate() {
  await sftp.put(`${inbox}/cut.part`, 'sku\n');
  await promised((done) => sftp.raw.setstat(`${inbox}/cut.part`, { size: 1 }, done as never));
}

async function closeTwice() {
  const handle = await sftp.open(`${inbox}/TEMPLATE.csv`, 'r');
  await sftp.close(handle);
  await sftp.close(handle);
}

async function readUpload() {
  const handle = await sftp.open(`${inbox}/read.part`, 'w+');
  await sftp.read(handle, 0, 10).finally(() => sftp.close(handle));
}

async function writeTemplate() {
  const handle = await sftp.open(`${inbox}/TEMPLATE.csv`, 'r');
  await sftp.write(handle, Buffer.from('x'), 0).finally(() => sftp.close(handle));
}

async function readFolderAsFile() {
  const handle = await promised<Buffer>((done) => sftp.raw.opendir(inbox, done));
  await sftp.read(handle, 0, 10).finally(() => sftp.close(handle));
}

async function leaveGaps() {
  const handle = await sftp.open(`${inbox}/gaps.tmp`, 'w');
  try {
    for (let offset = 2; offset <= 520; offset += 2) await sftp.write(handle, Buffer.from('x'), offset);
  } finally {
    await sftp.close(handle).catch(() => {});
  }
}

async function writeAt(offset: number) {
  const handle = await sftp.open(`${inbox}/hole.part`, 'w');
  await sftp.write(handle, Buffer.from('x'), offset).finally(() => sftp.close(handle));
  assert.fail('The file was closed.');
}

async function overwriteStart() {
  const handle = await sftp.open(`${inbox}/start.part`, 'w');
  await sftp.write(handle, Buffer.from('a long line'), 0);
  await sftp.write(handle, Buffer.from('x'), 0).finally(() => sftp.close(handle));
}

async function openManyFiles() {
  const handles: Buffer[] = [];
  try {
    for (let count = 0; count < 1000; count++) handles.push(await sftp.open(`${inbox}/TEMPLATE.csv`, 'r'));
  } finally {
    assert.equal(handles.length, 100);
    for (const handle of handles) await sftp.close(handle);
  }
}

/** The server reuses its metrics for a second. The clock is advanced for each call, so that the test does not wait. */
async function countRefusals(): Promise<number> {
  aheadMs += 1000;
  const { text: metrics } = await aisle.call('GET', '/metrics');
  return Number(/aisle_sftp_refused_requests_total (\d+)/.exec(metrics)?.[1]);
}

// Not restored after each call: whatever waits until a time would wait for the difference.
let aheadMs = 0;
const now = performance.now.bind(performance);
mock.method(performance, 'now', () => now() + aheadMs);

function countLines(event: string): number {
  return aisle.logged.filter((line) => line.includes(`"event":"${event}"`)).length;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function text(value: string): Buffer {
  return Buffer.concat([uint32(Buffer.byteLength(value)), Buffer.from(value)]);
}

function packet(type: number, ...fields: Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from([type]), ...fields]);
  return Buffer.concat([uint32(content.length), content]);
}

/** A channel to send SFTP packets byte by byte. `next` returns the next response, or nothing if the channel closes. */
async function openRaw() {
  const client = await connectSsh(aisle.port, user);
  const channel = await promised<ClientChannel>((done) => client.subsys('sftp', done));
  let received = Buffer.alloc(0);
  let isClosed = false;
  channel.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
  });
  channel.on('close', () => {
    isClosed = true;
  });
  const isComplete = () => received.length >= 4 && received.length >= 4 + received.readUInt32BE(0);
  const next = async (): Promise<Buffer> => {
    await waitFor('a response', () => isComplete() || isClosed, 30);
    if (!isComplete()) return Buffer.alloc(0);
    const end = 4 + received.readUInt32BE(0);
    const response = received.subarray(4, end);
    received = received.subarray(end);
    return response;
  };
  return { client, channel, next };
}
