import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { createPrivateFile } from './private-file.ts';
import { keyBytes, SealError } from './seal.ts';

/** The key in the folder's key file, or undefined if there is no file. */
export function readKeyFile(folder: string): Buffer | undefined {
  const file = keyPath(folder);
  const text = readText(file);
  if (text === undefined) return undefined;
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== keyBytes) throw new SealError(`${file} does not contain a valid key; restore it from a backup.`);
  return key;
}

/** Fails if the file exists, because everything encrypted with its key would be lost. */
export function createKeyFile(folder: string): Buffer {
  const key = randomBytes(keyBytes);
  createPrivateFile(keyPath(folder), `${key.toString('base64')}\n`);
  return key;
}

function keyPath(folder: string): string {
  return join(folder, 'secret.key');
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}
