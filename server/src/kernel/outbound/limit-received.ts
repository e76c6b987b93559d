import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { overheadOf } from './tls-carrier.ts';

/** What is received of a response at most: its headers, and more of its body than is kept. */
export const maxReceivedBytes = 256 * 1024;
export const tooLong = 'the response is too long';

/** Undici parses all that it has read, even after an error, and some errors take 10 µs per header. */
const pieceBytes = 1024;

const received = new WeakMap<Socket, number>();
subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { socket: Socket };
  received.delete(socket);
  startCounting(socket);
});

/**
 * What is received at most in addition to data on a TLS connection. In TLS 1.3, an endpoint can change its key without
 * an end, which takes 27 bytes and 16 µs each time and causes no event. A small piece of data takes as many bytes.
 */
const maxOverheadBytes = 32 * 1024;
const overheadBefore = new WeakMap<Socket, number>();

/** Call this after the handshake, and again for each message. */
export function startCounting(socket: Socket): void {
  overheadBefore.set(socket, overheadOf(socket));
}

export function hasTooMuchOverhead(socket: Socket): boolean {
  const before = overheadBefore.get(socket);
  return before !== undefined && overheadOf(socket) - before > maxOverheadBytes;
}

export const pollMs = 50;
/** One timer checks all connections. */
const checks = new Set<() => void>();
let timer: NodeJS.Timeout | undefined;

function checkUntilClosed(socket: Socket, check: () => void): void {
  checks.add(check);
  timer ??= setInterval(() => checks.forEach((each) => each()), pollMs).unref();
  socket.once('close', () => {
    checks.delete(check);
    if (checks.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
}

/**
 * TLS session tickets are not part of what is read, so each counts as this many bytes. A server sends two to four for a
 * connection, and each takes 40 µs.
 */
export const ticketBytes = 8 * 1024;

/**
 * Makes undici read in small pieces, and closes the connection after `maxReceivedBytes`. Undici limits headers and we
 * limit the body, but an endpoint can also send line breaks, a reason, trailers, TLS session tickets or new keys without
 * an end.
 */
export function limitReceived(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  /** Returns false if it was too much. */
  const count = (bytes: number) => {
    const total = (received.get(socket) ?? 0) + bytes;
    received.set(socket, total);
    if (total > maxReceivedBytes) socket.destroy(new Error(tooLong));
    return total <= maxReceivedBytes;
  };
  socket.read = (size?: number) => {
    if (socket.destroyed) return null;
    const bytes = read(size ?? (Math.min(pieceBytes, socket.readableLength) || undefined));
    return bytes !== null && count(bytes.length) ? bytes : null;
  };
  socket.on('session', () => count(ticketBytes));
  startCounting(socket);
  checkUntilClosed(socket, () => {
    if (hasTooMuchOverhead(socket)) socket.destroy(new Error(tooLong));
  });
}
