import { parentPort } from 'node:worker_threads';
import type { RowReaders } from '../catalog/index.ts';
import type { PromotionReader } from '../promotions/index.ts';
import type { ThreadInput, ThreadResult } from './read-next.ts';
import { readPromotion } from './read-promotion.ts';
import { readWindow } from './read-window.ts';

/** The entry point of a thread that reads files. It loads only what it needs, so that it starts fast. */
parentPort?.on('message', async (input: ThreadInput) => parentPort?.postMessage(await read(input), []));

async function read(input: ThreadInput): Promise<ThreadResult> {
  const module = (await import(input.module)) as { rowReaders: RowReaders; promotionReader: PromotionReader };
  return 'window' in input
    ? readWindow(withBuffer(input.window), module.rowReaders)
    : readPromotion(withBuffer(input.promotion), module.promotionReader);
}

/** A buffer arrives in a thread as a plain array of bytes. */
function withBuffer<Input extends { bytes: Buffer }>(input: Input): Input {
  const { buffer, byteOffset, byteLength } = input.bytes;
  return { ...input, bytes: Buffer.from(buffer, byteOffset, byteLength) };
}
