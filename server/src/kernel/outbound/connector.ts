import { subscribe } from 'node:diagnostics_channel';
import type { LookupFunction, Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { Payer } from './handshake-budget.ts';
import { quickKeyExchange } from './key-exchange.ts';
import { limitReceived } from './limit-received.ts';
import { timeOpening } from './timings.ts';
import type { OpenCarrier, TlsCarrier } from './tls-carrier.ts';
import type { InTurn } from './turns.ts';

type ConnectorOptions = {
  lookup: LookupFunction;
  timeout: number;
  openCarrier: OpenCarrier;
  inTurn: InTurn;
  payerOf(origin: string): Payer;
};

/** Opens connections for undici. Those with TLS are opened in turns, see `InTurn`. */
export function guardedConnector({
  lookup,
  timeout,
  openCarrier,
  inTurn,
  payerOf,
}: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({ ...quickKeyExchange, lookup, timeout });
  const open = (options: buildConnector.Options, callback: buildConnector.Callback, carrier?: TlsCarrier) => {
    const origin = originOf(options);
    // The types do not say so, but a carrier can be any stream, and the connector returns the socket before it is
    // connected.
    const below = carrier && { httpSocket: carrier.stream as Socket };
    const opening = connect({ ...options, ...below }, (...result) => {
      const [failure, socket] = result;
      measured.end(failure ?? socket);
      if (socket) limitReceived(socket);
      socket?.once('error', (error: Error) => {
        if (socket.bytesRead > 0 && socket.bytesRead === readBefore.get(socket)) lateErrors.add(error);
      });
      callback(...result);
    }) as unknown as Socket;
    carrier?.carry(opening);
    const measured = timeOpening(origin, opening, carrier?.socket);
  };
  return (options, callback) => {
    if (options.protocol !== 'https:') return open(options, callback);
    const payer = payerOf(originOf(options));
    const address = { host: options.hostname, port: Number(options.port || 443) };
    inTurn(payer.owner, () => {
      try {
        open(options, callback, openCarrier(address, payer));
      } catch (error) {
        callback(error as Error, null);
      }
    });
  };
}

function originOf({ protocol, host }: buildConnector.Options): string {
  return `${protocol}//${host}`;
}

/** Whether the connection had received an earlier response, but no part of the current one, when it failed. */
export function isLate(error: Error): boolean {
  return lateErrors.has(error);
}

/** Errors on connections that had received an earlier response but no part of the current one. */
const lateErrors = new WeakSet<Error>();
/** The number of bytes a connection had received when the last message was sent on it. */
const readBefore = new WeakMap<Socket, number>();
subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { socket: Socket };
  readBefore.set(socket, socket.bytesRead);
});
