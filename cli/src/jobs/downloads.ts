import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, realpath, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Download } from '@aisle/sdk';
import { CliError } from '../errors.ts';
import type { Output } from '../terminal/terminal.ts';
import { safeLines } from '../terminal/text.ts';

export async function saveDownload(download: Download, path: string): Promise<void> {
  await saveStream(Readable.from(download), path);
}

/** Replaces a file with this name when all bytes have arrived, so that a half of it is never mistaken for the whole. */
export async function saveStream(bytes: Readable, path: string): Promise<void> {
  // A symbolic link stays one.
  const target = await realpath(path).catch(() => path);
  const known = await stat(target).catch(() => undefined);
  const isReplaced = known === undefined || known.isFile();
  const draft = isReplaced ? `${target}.${randomBytes(6).toString('hex')}` : target;
  try {
    await pipeline(bytes, createWriteStream(draft));
    if (known && isReplaced) await chmod(draft, known.mode);
    if (isReplaced) await rename(draft, target);
  } catch (error) {
    if (isReplaced) await rm(draft, { force: true });
    // Errors of the connection are passed on.
    if (!(error as NodeJS.ErrnoException).path) throw error;
    throw new CliError(`${path} cannot be written: ${(error as Error).message.replace(draft, path)}`);
  }
}

/** Waits for a slow reader instead of keeping the file in memory. In a terminal, the file cannot control it. */
export async function writeDownload(download: Download, output: Output): Promise<void> {
  const decoder = new TextDecoder();
  const write = async (text: string) => {
    const isTaken = output.write(output.isTTY ? safeLines(text) : text);
    if (isTaken === false && output.once) await new Promise<void>((resolve) => output.once?.('drain', resolve));
  };
  for await (const bytes of download) await write(decoder.decode(bytes, { stream: true }));
  await write(decoder.decode());
}
