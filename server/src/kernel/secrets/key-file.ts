import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { keyBytes, SealError } from './seal.ts';

/** Reads the key file in the folder. If there is none, creates one that only its owner can read. */
export function readOrCreateKey(folder: string): Buffer {
  const file = join(folder, 'secret.key');
  mkdirSync(folder, { recursive: true });
  try {
    // Fails if the file exists. A key must never be overwritten, because everything encrypted with it would be lost.
    writeFileSync(file, `${randomBytes(keyBytes).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== keyBytes) throw new SealError(`${file} does not contain a valid key; restore it from a backup.`);
  return key;
}
