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

/** The connections to each origin that are being opened. */
const opening = new Map<string, Set<ConnectionTimings>>();

/** Measures a connection that undici opens. Call `end` with the connection or the error. */
export function timeOpening(origin: string, socket: Socket, carrier?: Socket) {
  const timings = timeConnection(socket, carrier);
  const all = opening.get(origin) ?? new Set();
  opening.set(origin, all.add(timings));
  return {
    end(connectionOrError: object | null) {
      all.delete(timings);
      if (all.size === 0) opening.delete(origin);
      if (connectionOrError) kept.set(connectionOrError, timings);
    },
  };
}

/** How far a connection to the origin has got that is not open yet. If there are several, it is the oldest. */
export function timingsOfOpening(origin: string): Timings {
  const [oldest] = opening.get(origin) ?? [];
  return { ...noTimings, ...oldest };
}

/** The timings of a connection that could not be opened, or that failed. */
export function timingsOf(error: Error): Timings {
  return { ...noTimings, ...kept.get(error) };
}

/**
 * Measures a connection that is being opened; a TLS connection has a carrier. The result is filled in as the connection
 * makes progress.
 */
export function timeConnection(socket: Socket, carrier: Socket = socket): ConnectionTimings {
  const timings = { ...noConnection };
  let since = performance.now();
  const lap = () => {
    const now = performance.now();
    const passed = now - since;
    since = now;
    return Math.round(passed);
  };
  // The timings must be complete when the client's own listeners send the request.
  carrier.prependOnceListener('lookup', () => {
    timings.dnsMs = lap();
  });
  carrier.prependOnceListener('connect', () => {
    timings.connectMs = lap();
  });
  socket.prependOnceListener('secureConnect', () => {
    timings.tlsMs = lap();
  });
  return timings;
}
