import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import type { Config } from '../config.ts';
import { fingerprintOf } from './rules/public-key.ts';
import { OperatorError } from '../kernel/failures/operator-error.ts';
import { createPrivateFile } from '../kernel/secrets/private-file.ts';

/** The host key cannot be used. The message says which setting to change. */
export class HostKeyError extends OperatorError {}

export type HostKey = { pem: string; type: string; fingerprint: string };

export const hostKeyFile = 'sftp_host_key';

/**
 * The key that identifies this server to its clients. With the embedded database, it is created once and kept in the
 * data folder. With an external database, undefined unless `AISLE_SFTP_HOST_KEY` is set.
 */
export function findHostKey({ sftp, databaseUrl, dataDir }: Config): HostKey | undefined {
  if (sftp.hostKey !== null) return parseHostKey(...readSetting(sftp.hostKey));
  if (databaseUrl !== null) return undefined;
  const file = join(dataDir, hostKeyFile);
  return parseHostKey(readIfPresent(file) ?? createFile(file), file);
}

/** The address that clients connect to. `port` is the port that the server listens on. */
export function publicSftpAddress({ sftp, links }: Config, port: number): { host: string; port: number } {
  const host = sftp.address?.host ?? new URL(links.publicUrl).hostname.replace(/^\[|\]$/g, '');
  return { host, port: sftp.address?.port ?? port };
}

/** Returns the key and its source, for error messages. A key can be given on one line, with `\n` for line breaks. */
function readSetting(setting: string): [pem: string, source: string] {
  if (setting.includes('PRIVATE KEY-----')) return [setting.replaceAll('\\n', '\n'), 'AISLE_SFTP_HOST_KEY'];
  const source = `AISLE_SFTP_HOST_KEY: the file${setting.length > maxShownPath ? '' : ` ${setting}`}`;
  const pem = readIfPresent(setting);
  if (pem === undefined) throw new HostKeyError(`${source} does not exist.`);
  return [pem, source];
}

/** What is longer can be a key without its first line, which must not be printed. */
const maxShownPath = 128;

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENAMETOOLONG') return undefined;
    throw new HostKeyError(`The SFTP host key cannot be read: ${message}.`);
  }
}

/** It is never overwritten, because clients refuse to connect if the key changes. */
function createFile(file: string): string {
  const pem = generateKey();
  createPrivateFile(file, pem);
  return pem;
}

function parseHostKey(pem: string, source: string): HostKey {
  const parsed = ssh2.utils.parseKey(pem.trim());
  if (parsed instanceof Error || Array.isArray(parsed) || !parsed.isPrivateKey()) {
    const advice = 'generate one with "ssh-keygen -t ed25519 -N \'\' -f FILE"';
    throw new HostKeyError(
      `${source} does not contain a private key in OpenSSH format without a passphrase; ${advice}.`,
    );
  }
  return { pem: pem.trim(), type: parsed.type, fingerprint: fingerprintOf(parsed.getPublicSSH()) };
}

/** Generates a private key. About one in 500 keys that ssh2 generates cannot be read, even by itself. */
export function generateKey(): string {
  for (;;) {
    const { private: pem } = ssh2.utils.generateKeyPairSync('ed25519', { comment: 'aisle' });
    if (!(ssh2.utils.parseKey(pem) instanceof Error)) return pem;
  }
}
