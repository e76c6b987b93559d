import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/**
 * How long each part of an exchange took, in milliseconds. A part is null if it did not happen or did not end: a reused
 * connection is neither resolved nor opened, and an IP address is not resolved.
 */
export type Timings = {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From the start of the exchange, including the connection, to the status line. */
  firstByteMs: number | null;
};

export type ConnectionTimings = Omit<Timings, 'firstByteMs'>;

export const noConnection: ConnectionTimings = { dnsMs: null, connectMs: null, tlsMs: null };
export const noTimings: Timings = { ...noConnection, firstByteMs: null };

/** The timings of connections that have not been used yet, and of errors that kept a connection from being opened. */
const kept = new WeakMap<object, ConnectionTimings>();
/** Called with the connection of the request that undici is starting. Undici publishes `sendHeaders` right after that. */
let onConnection: ((socket: Socket) => void) | undefined;
subscribe('undici:client:sendHeaders', (message) => {
  onConnection?.((message as { socket: Socket }).socket);
  onConnection = undefined;
});

/** Keeps the timings for the exchange that uses the connection first, or that gets the error. */
export function keepTimings(connectionOrError: object | null, timings: ConnectionTimings): void {
  if (connectionOrError) kept.set(connectionOrError, timings);
}

/** Measures an exchange with undici. `start` is called when undici starts the request, `stop` at the status line. */
export function startMeter() {
  const started = performance.now();
  let timings = noTimings;
  return {
    start() {
      onConnection = (socket) => {
        timings = { ...timings, ...kept.get(socket) };
        kept.delete(socket);
      };
    },
    stop() {
      timings = { ...timings, firstByteMs: Math.round(performance.now() - started) };
    },
    timings: (error?: Error): Timings => (error ? { ...timings, ...kept.get(error) } : timings),
  };
}

/** Measures a connection that is being opened. The result is filled in as the connection makes progress. */
export function timeConnection(socket: Socket): ConnectionTimings {
  const timings = { ...noConnection };
  let since = performance.now();
  const lap = () => {
    const now = performance.now();
    const passed = now - since;
    since = now;
    return Math.round(passed);
  };
  // The timings must be complete when the client's own listeners send the request.
  socket.prependOnceListener('lookup', () => {
    timings.dnsMs = lap();
  });
  socket.prependOnceListener('connect', () => {
    timings.connectMs = lap();
  });
  socket.prependOnceListener('secureConnect', () => {
    timings.tlsMs = lap();
  });
  return timings;
}
