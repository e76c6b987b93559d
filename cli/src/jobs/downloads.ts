import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Download } from '@aisle/sdk';
import { CliError } from '../errors.ts';
import type { Output } from '../terminal/terminal.ts';

export async function saveDownload(download: Download, path: string): Promise<void> {
  await pipeline(download, createWriteStream(path)).catch((error: unknown) => explainWrite(path, error));
}

/** Errors of the file are explained; those of the connection are passed on. */
export function explainWrite(path: string, error: unknown): never {
  if (!(error as NodeJS.ErrnoException).path) throw error;
  throw new CliError(`${path} cannot be written: ${(error as Error).message}`);
}

export async function writeDownload(download: Download, output: Output): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of download) output.write(decoder.decode(bytes, { stream: true }));
  output.write(decoder.decode());
}
