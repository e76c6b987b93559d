/**
 * Chooses where the database server listens: on a Unix socket in a private folder or, if that is not possible, on a
 * local port.
 */
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './failure.ts';
import type { User } from './launcher.ts';

export type Address = { settings: Record<string, string>; url(database: string): string; remove(): void };

export async function chooseAddress(dataDir: string, password: string, owner: User | undefined): Promise<Address> {
  const folder = socketFolder(dataDir, password);
  const isShortEnough = Buffer.byteLength(join(folder, '.s.PGSQL.5432')) < 100;
  const usesSocket = owner !== undefined && isShortEnough && createPrivate(folder, owner);
  return usesSocket ? socketAddress(folder, password) : portAddress(await freePort(), password);
}

export function urlOf(password: string, host: string, database: string, query: Record<string, string>): string {
  // Overrides PGSSLMODE from the environment, because this server does not support TLS.
  const parameters = Object.entries({ ...query, sslmode: 'disable' });
  const search = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `postgresql://aisle:${password}@${host}/${database}?${search}`;
}

/** The name stays the same after a crash, but other users cannot guess it and create the folder first. */
function socketFolder(dataDir: string, password: string): string {
  const name = createHash('sha256').update(`${password} ${dataDir}`).digest('hex').slice(0, 16);
  return join(tmpdir(), `aisle-${name}`);
}

/** Returns false if the folder cannot be created, for example on a read-only disk. */
function createPrivate(folder: string, owner: User): boolean {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    if (process.getuid?.() === 0) chownSync(folder, owner.uid, owner.gid);
    chmodSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}

function socketAddress(folder: string, password: string): Address {
  return {
    settings: {
      listen_addresses: '',
      port: '5432',
      unix_socket_directories: `"${folder.replaceAll('"', '""')}"`,
      unix_socket_permissions: '0700',
    },
    url: (database) => urlOf(password, 'localhost:5432', database, { host: folder }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function portAddress(port: number, password: string): Address {
  return {
    settings: { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' },
    url: (database) => urlOf(password, `127.0.0.1:${port}`, database, {}),
    remove: () => {},
  };
}

/** Returns a port below 32768, because the system uses higher ports for outgoing connections. */
async function freePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) return port;
  }
  throw new EmbeddedPostgresError('No port between 20000 and 32000 is free for PostgreSQL on this machine.');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
