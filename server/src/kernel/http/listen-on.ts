import { lookup } from 'node:dns/promises';
import { createServer, type Server } from 'node:net';
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

async function addListener(app: FastifyInstance, address: ListenAddress): Promise<void> {
  // The same options as those of an HTTP server.
  const options = { allowHalfOpen: true, noDelay: true };
  const listener = createServer(options, (socket) => void app.server.emit('connection', socket));
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(address, resolve);
  }).then(
    () => app.furtherListeners.push(listener),
    (error: { code?: string }) => {
      // The name can have an IPv6 address even if the machine does not support IPv6.
      if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error;
    },
  );
}
