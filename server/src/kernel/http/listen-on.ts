import { lookup } from 'node:dns/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Accept connections on further addresses and pass them on to the app's own server. */
    furtherListeners: Server[];
  }
}

export type ListenAddress = { host: string; port: number };

/** `localhost` is usually both an IPv4 and an IPv6 address. */
export async function listAddresses({ host, port }: ListenAddress): Promise<ListenAddress[]> {
  if (host !== 'localhost') return [{ host, port }];
  const found = await lookup(host, { all: true });
  return [...new Set(found.map(({ address }) => address))].map((address) => ({ host: address, port }));
}

/**
 * Listens on all addresses with one server. For `localhost`, Fastify would create a second server, whose connections
 * would not be limited, and whose requests would be cut off on shutdown.
 */
export async function listenOn(app: FastifyInstance, addresses: readonly ListenAddress[]): Promise<void> {
  const [first, ...others] = addresses;
  await app.listen({ ...first });
  for (const address of others) await addListener(app, address);
}

/** Serves connections that another process accepts. Returns the function that takes them. */
export async function serveConnections(app: FastifyInstance): Promise<(socket: Socket) => void> {
  await app.ready();
  // Starts the timeouts of the server, as listening does.
  app.server.emit('listening');
  return (socket) => void app.server.emit('connection', socket);
}

/** Accepts connections for other processes, without reading from them. At least the first address must be available. */
export async function acceptOn(
  addresses: readonly ListenAddress[],
  onConnection: (socket: Socket) => void,
): Promise<Server[]> {
  const [first, ...others] = addresses.map((address) => ({ address, listener: createListener(onConnection, true) }));
  if (first) await start(first.listener, first.address);
  const started = await Promise.all(others.map((other) => tryToStart(other.listener, other.address)));
  return [first, ...others.filter((_, index) => started[index])].flatMap((one) => one?.listener ?? []);
}

/**
 * Closes the listeners, but not their connections, at a moment when no connection waits to be accepted. The operating
 * system resets those that wait, and a load balancer does not repeat a POST after that.
 */
export async function stopListening(listeners: readonly Server[]): Promise<void> {
  const startedAt = performance.now();
  let accepted = 0;
  for (const listener of listeners) listener.prependListener('connection', () => accepted++);
  let lastTurnAt = startedAt;
  let quietSince = startedAt;
  // Clients connect again right after a response, so one turn of the event loop without a connection is not enough. In
  // turns that take a few microseconds, hardly any can have arrived since the last one.
  while (lastTurnAt - quietSince < 0.1 && lastTurnAt - startedAt < 500) {
    const before = accepted;
    await setImmediate();
    const now = performance.now();
    const longestMs = now - startedAt < 250 ? 0.03 : 0.2;
    if (accepted !== before || now - lastTurnAt > longestMs) quietSince = now;
    lastTurnAt = now;
  }
  for (const listener of listeners) listener.close();
}

async function addListener(app: FastifyInstance, address: ListenAddress): Promise<void> {
  const listener = createListener((socket) => void app.server.emit('connection', socket));
  if (await tryToStart(listener, address)) app.furtherListeners.push(listener);
}

/** With the same options as an HTTP server. */
function createListener(onConnection: (socket: Socket) => void, pauseOnConnect = false): Server {
  return createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect }, onConnection);
}

/** Returns false if the machine does not support IPv6, because the name can have an IPv6 address even then. */
function tryToStart(listener: Server, address: ListenAddress): Promise<boolean> {
  return start(listener, address).then(
    () => true,
    (error: { code?: string }) => {
      if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error;
      return false;
    },
  );
}

function start(listener: Server, address: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(address, resolve);
  });
}
