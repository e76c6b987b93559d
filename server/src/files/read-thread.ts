import { parentPort } from 'node:worker_threads';
import type { RowReaders } from '../catalog/index.ts';
import type { ThreadInput } from './read-next.ts';
import { readWindow } from './read-window.ts';

/** The entry point of a thread that reads the rows of files. It loads only what it needs, so that it starts fast. */
parentPort?.on('message', async ({ input, module }: ThreadInput) => {
  const { rowReaders } = (await import(module)) as { rowReaders: RowReaders };
  const { buffer, byteOffset, byteLength } = input.bytes;
  const window = readWindow({ ...input, bytes: Buffer.from(buffer, byteOffset, byteLength) }, rowReaders);
  parentPort?.postMessage(window, []);
});
