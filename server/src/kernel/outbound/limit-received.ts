import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** What is received of a response at most: its headers, and more of its body than is kept. */
export const maxReceivedBytes = 256 * 1024;
export const tooLong = 'the response is too long';

/** Undici parses all that it has read, even after an error, and some errors take 10 µs per header. */
const pieceBytes = 1024;

const received = new WeakMap<Socket, number>();
subscribe('undici:client:sendHeaders', (message) => void received.delete((message as { socket: Socket }).socket));

/**
 * Makes undici read in small pieces, and closes the connection after `maxReceivedBytes`. Undici limits headers and we
 * limit the body, but an endpoint can also send line breaks, a reason or trailers without an end.
 */
export function limitReceived(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  socket.read = (size?: number) => {
    if (socket.destroyed) return null;
    const bytes = read(size ?? (Math.min(pieceBytes, socket.readableLength) || undefined));
    if (bytes === null) return null;
    const total = (received.get(socket) ?? 0) + bytes.length;
    received.set(socket, total);
    if (total <= maxReceivedBytes) return bytes;
    socket.destroy(new Error(tooLong));
    return null;
  };
}
