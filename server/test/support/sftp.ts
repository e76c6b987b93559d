import { once } from 'node:events';
import { after } from 'node:test';
import { generateKey } from '../../src/sftp/index.ts';
import ssh2, { type Client, type ConnectConfig, type FileEntryWithStats, type SFTPWrapper, type Stats } from 'ssh2';
import { callerFor, type TestAisle, type TestChain, useOwnAisle } from './aisle.ts';

/** A server with SFTP on a free port, and a client for it. */
export type SftpAisle = TestAisle & { port: number };

/** The host key of all SFTP servers in a test file. */
export const hostKey = generateKey();
export const sftpSettings = { AISLE_SFTP_PORT: '0', AISLE_SFTP_HOST_KEY: hostKey, AISLE_LOG_LEVEL: 'info' };

export async function useSftp(environment: Record<string, string> = {}): Promise<SftpAisle> {
  const aisle = await useOwnAisle({ ...sftpSettings, ...environment });
  return { ...aisle, port: await listenForSftp(aisle) };
}

export async function listenForSftp({ aisle }: Pick<TestAisle, 'aisle'>): Promise<number> {
  if (!aisle.sftp) throw new Error('The server has no SFTP.');
  return aisle.sftp.listen({ host: '127.0.0.1', port: 0 });
}

export type SftpLogin = { sftp_user_id: string; username: string; password: string };

export async function makeSftpUser(aisle: TestAisle, chain: TestChain, body: object = {}): Promise<SftpLogin> {
  const created = await callerFor(aisle, chain)('POST', '/sftp-users', { body: { name: 'test', ...body } });
  if (created.status !== 201) throw new Error(created.text);
  return created.body;
}

const open = new Set<Client>();
after(() => open.forEach((client) => client.destroy()));

/** Connects and logs in. Fails with the client's error if the server refuses. */
export async function connectSsh(
  port: number,
  login: Partial<SftpLogin>,
  options: ConnectConfig = {},
): Promise<Client> {
  const client = new ssh2.Client();
  open.add(client);
  client.once('close', () => open.delete(client));
  const ready = once(client, 'ready');
  const { username, password } = login;
  client.connect({
    host: '127.0.0.1',
    port,
    ...(username && { username }),
    ...(password && { password }),
    readyTimeout: 60_000,
    ...options,
  });
  // Otherwise, most small packets would wait 40 ms for an acknowledgement. OpenSSH's client sets this option too.
  client.setNoDelay(true);
  await ready;
  client.on('error', () => {});
  return client;
}

export type SftpClient = Awaited<ReturnType<typeof connectSftp>>;

/** A connected client with promises instead of callbacks. */
export async function connectSftp(port: number, login: Partial<SftpLogin>, options: ConnectConfig = {}) {
  const client = await connectSsh(port, login, options);
  return wrapSftp(client, await promised<SFTPWrapper>((done) => client.sftp(done)));
}

export function wrapSftp(client: Client, sftp: SFTPWrapper) {
  return {
    client,
    raw: sftp,
    open: (path: string, flags: string | number) => promised<Buffer>((done) => sftp.open(path, flags as 'r', done)),
    write: (handle: Buffer, bytes: Buffer, offset: number) =>
      promised<void>((done) => sftp.write(handle, bytes, 0, bytes.length, offset, done)),
    read: (handle: Buffer, offset: number, length: number) =>
      promised<Buffer>((done) =>
        sftp.read(handle, Buffer.alloc(length), 0, length, offset, (error, count, bytes) =>
          done(error, bytes?.subarray(0, count)),
        ),
      ),
    close: (handle: Buffer) => promised<void>((done) => sftp.close(handle, done)),
    put: (path: string, content: string | Buffer) => promised<void>((done) => sftp.writeFile(path, content, done)),
    get: (path: string) => promised<Buffer>((done) => sftp.readFile(path, done)),
    list: async (path: string) =>
      (await promised<FileEntryWithStats[]>((done) => sftp.readdir(path, done as never))).map(
        ({ filename }) => filename,
      ),
    stat: (path: string) => promised<Stats>((done) => sftp.stat(path, done)),
    fstat: (handle: Buffer) => promised<Stats>((done) => sftp.fstat(handle, done)),
    rename: (from: string, to: string) => promised<void>((done) => sftp.rename(from, to, done)),
    remove: (path: string) => promised<void>((done) => sftp.unlink(path, done)),
    end: () => {
      const closed = once(client, 'close');
      client.end();
      return closed;
    },
    /** Breaks the connection without a disconnect message. */
    destroy: () => {
      const closed = open.has(client) ? once(client, 'close') : undefined;
      client.destroy();
      return closed;
    },
  };
}

export function promised<Value>(start: (done: (error: Error | null | undefined, value?: Value) => void) => void) {
  return new Promise<Value>((resolve, reject) =>
    start((error, value) => (error ? reject(error) : resolve(value as Value))),
  );
}
