import { connect, type LookupFunction, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { HandshakeBudget, Payer } from './handshake-budget.ts';
import type { InTurn } from './turns.ts';

/**
 * The connection below TLS. During the handshake it counts what it receives and how long TLS takes for it. That is only
 * possible if TLS gets the bytes through a stream in JavaScript instead of from the socket itself.
 */
export type TlsCarrier = {
  socket: Socket;
  /** What TLS gets as its socket. */
  stream: Duplex;
  /** To be called with the TLS connection when it has been created. */
  carry(tls: Socket): void;
};

/** Opens carriers for the addresses of endpoints (see `HandshakeBudget`). */
export type OpenCarrier = (address: { host: string; port: number }, payer: Payer) => TlsCarrier;

/**
 * What is received in a handshake at most. Usual ones have 3 to 6 KiB. With certificates that are made for it, TLS needs
 * about half a second for 16 KiB.
 */
export const maxHandshakeBytes = 16 * 1024;
export const handshakeTooLong = 'the TLS handshake is too long';

export function carrierOpener(lookup: LookupFunction, budget: HandshakeBudget, inTurn: InTurn): OpenCarrier {
  return (address, payer) => {
    const socket = connect({ ...address, lookup, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 });
    const stream = streamOf(socket);
    let isOpen = false;
    let spentMs = 0;
    let waiting = 0;
    /** During the handshake, what the socket receives waits for its turn. The order is kept. */
    const inOrder = (handle: () => void): void => {
      if (isOpen && waiting === 0) return handle();
      waiting += 1;
      inTurn(payer.owner, () => {
        waiting -= 1;
        if (!stream.destroyed) handle();
      });
    };
    const pass = (bytes: Buffer) => {
      if (!stream.push(bytes)) socket.pause();
    };
    /** TLS works on the bytes before `pass` returns. */
    const passInHandshake = (bytes: Buffer): void => {
      const error = budget.check(payer);
      if (error) {
        stream.destroy(error);
        return;
      }
      const before = usedMs();
      pass(bytes);
      const ms = usedMs() - before;
      budget.count(payer, spentMs, ms);
      spentMs += ms;
    };
    socket.on('data', (bytes: Buffer) => {
      if (!isOpen && socket.bytesRead > maxHandshakeBytes) stream.destroy(new Error(handshakeTooLong));
      else inOrder(() => (isOpen ? pass(bytes) : passInHandshake(bytes)));
    });
    socket.on('end', () => inOrder(() => stream.push(null)));
    return {
      socket,
      stream,
      carry(tls) {
        carriers.set(tls, socket);
        tls.once('secureConnect', () => {
          isOpen = true;
          // If TLS is working on the last piece, that is counted next.
          budget.succeed(payer, spentMs);
        });
      },
    };
  };
}

function streamOf(socket: Socket): Duplex {
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (bytes: Buffer, _encoding, done) => void socket.write(bytes, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket.on('error', (error) => stream.destroy(error));
  // After the end, TLS may still have to read what is buffered.
  socket.on('close', () => void (socket.readableEnded || stream.destroy()));
  return stream;
}

const carriers = new WeakMap<Socket, Socket>();

/** How many more bytes a connection has received than its data has. 0 if it is no TLS connection. */
export function overheadOf(connection: Socket): number {
  const carrier = carriers.get(connection);
  return carrier ? carrier.bytesRead - connection.bytesRead : 0;
}

/** The time that this thread has used. It may also have waited for a processor, which does not count. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
