import { createRequire } from 'node:module';

// This file uses ssh2 internals. The tests with hostile packets fail if a new version changes them.

type Handler = (protocol: { _server: boolean }, payload: Buffer) => void;

/** The functions with which ssh2 handles packets, by type. Servers and clients in this process share them. */
const handlers = createRequire(import.meta.url)('ssh2/lib/protocol/handlers.js') as (Handler | undefined)[];

/**
 * Packets that only servers send: SERVICE_ACCEPT, USERAUTH_FAILURE, _SUCCESS, _BANNER and _PK_OK, and the responses to
 * channels and requests that this server never opens or sends.
 */
const serverPackets = [6, 51, 52, 53, 60, 91, 92, 99, 100];
const globalRequest = 80;

/**
 * Disconnects clients that send packets of servers. ssh2 would handle them as a client does, even before the login: it
 * would forget the client's request to log in, so that the response fails, or parse host keys with a regular expression
 * that can take seconds.
 */
export function rejectServerPackets(): void {
  for (const type of serverPackets) reject(type, () => true);
  reject(globalRequest, (payload) => payload.toString('latin1', 5, 5 + hostKeys.length) === hostKeys);
}

const hostKeys = 'hostkeys-00@openssh.com';

function reject(type: number, isRejected: (payload: Buffer) => boolean): void {
  const handle = handlers[type];
  if (!handle) return;
  handlers[type] = (protocol, payload) => {
    // ssh2 ends the connection.
    if (protocol._server && isRejected(payload)) throw new Error(`The client sent a packet of servers (type ${type}).`);
    handle(protocol, payload);
  };
}
