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
