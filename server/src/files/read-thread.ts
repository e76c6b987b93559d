import { parentPort } from 'node:worker_threads';
import { readWindow, type WindowInput } from './read-window.ts';

/** The entry point of a thread that reads the rows of files. */
parentPort?.on('message', (input: WindowInput) => {
  const { buffer, byteOffset, byteLength } = input.bytes;
  const window = readWindow({ ...input, bytes: Buffer.from(buffer, byteOffset, byteLength) });
  parentPort?.postMessage(window, []);
});
