import { type AddressInfo, createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** The address cannot be listened on: a sentence that names the setting to change. */
export class AddressError extends Error {}

/** An address that is held while the program starts, so that its port is known before anything else is built. */
export type ReservedAddress = {
  port: number;
  release(): Promise<void>;
  /** Releases the address and lets the server listen on it. */
  handOver(http: FastifyInstance): Promise<void>;
};

/** Port 0 is any free one. A taken port, the most common mistake, is found before anything is created. */
export async function reserveAddress({ host, port }: { host: string; port: number }): Promise<ReservedAddress> {
  const explain = (error: unknown): never => {
    throw sentenceFor(error, host, port);
  };
  // Connections that arrive before the server is ready are closed, as if there were none.
  const holder = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    holder.once('error', reject);
    holder.listen(port, host, resolve);
  }).catch(explain);
  const found = (holder.address() as AddressInfo).port;
  const release = () => new Promise<void>((resolve) => holder.close(() => resolve()));
  return {
    port: found,
    release,
    async handOver(http) {
      await release();
      await http.listen({ host, port: found }).catch(explain);
    },
  };
}

function sentenceFor(error: unknown, host: string, port: number): unknown {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE') return new AddressError(`Port ${port} is taken: set PORT to another one.`);
  if (code === 'EACCES') return new AddressError(`Port ${port} may not be used by this user: set PORT to another one.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new AddressError(`HOST ${host} is not an address of this machine.`);
  return error;
}
