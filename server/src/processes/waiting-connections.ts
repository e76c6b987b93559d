import type { Socket } from 'node:net';
import { createMatcher, type Network, networkOf, normalizeAddress } from '../kernel/outbound/addresses.ts';
import type { ListenerName } from './messages.ts';

export type Connection = { listener: ListenerName; socket: Socket; network: string; sentAt: number };

/**
 * Connections that wait at one port. Networks take turns, so a network with many connections delays the others by one
 * connection each. If all places are taken, the newest connection of the network with the most connections is closed.
 */
export type WaitingConnections = {
  add(connection: Connection): void;
  /** Puts a connection first in the queue, where it was before. */
  putBack(connection: Connection): void;
  take(): Connection | undefined;
  /** Closes all connections. */
  clear(): void;
};

export function createWaitingConnections(places: number): WaitingConnections {
  /** By network, in the order of their turns. No list is empty. */
  let waiting = new Map<string, Connection[]>();
  let size = 0;
  const closeNewestOfBusiest = () => {
    let [busiest] = waiting.values();
    for (const own of waiting.values()) if (own.length >= (busiest?.length ?? 0)) busiest = own;
    const newest = busiest?.pop();
    if (!newest) return;
    if (busiest?.length === 0) waiting.delete(newest.network);
    size -= 1;
    newest.socket.destroy();
  };
  return {
    add(connection) {
      const own = waiting.get(connection.network);
      if (own) own.push(connection);
      else waiting.set(connection.network, [connection]);
      size += 1;
      if (size > places) closeNewestOfBusiest();
    },
    putBack(connection) {
      const own = waiting.get(connection.network) ?? [];
      waiting.delete(connection.network);
      waiting = new Map([[connection.network, [connection, ...own]], ...waiting]);
      size += 1;
    },
    take() {
      const [next] = waiting;
      if (!next) return undefined;
      const [network, own] = next;
      const connection = own.shift();
      // Deleting and adding moves the network to the end.
      waiting.delete(network);
      if (own.length > 0) waiting.set(network, own);
      size -= 1;
      return connection;
    },
    clear() {
      for (const { socket } of [...waiting.values()].flat()) socket.destroy();
      waiting.clear();
      size = 0;
    },
  };
}

/**
 * Returns the function that finds the network by which a connection is counted. The connections of a trusted proxy
 * belong to different clients, so each of them counts as a network of its own.
 */
export function createNetworks(trustedProxies: readonly Network[]): (socket: Socket) => string {
  const isTrusted = createMatcher(trustedProxies);
  return ({ remoteAddress = '', remotePort }) => {
    const address = normalizeAddress(remoteAddress);
    return isTrusted(address) ? `${address} ${remotePort}` : networkOf(address);
  };
}
