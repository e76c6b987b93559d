import { type AddressInfo, connect, createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type ListenAddress, listAddresses, listenOn } from './kernel/http/listen-on.ts';
import { OperatorError } from './kernel/failures/operator-error.ts';

/** The server cannot listen on the address. The message says which setting to change. */
export class AddressError extends OperatorError {}

/** An address that was free when the program started. Its port is known before anything else is created. */
export type ReservedAddress = {
  port: number;
  release(): Promise<void>;
  /** Releases the address and makes a server listen on it. */
  handOver(listen: (address: ListenAddress) => Promise<unknown>): Promise<void>;
  handOverToHttp(http: FastifyInstance): Promise<void>;
};

/**
 * Port 0 means any free port, which is kept until the server listens. A port that is in use, the most common error, is
 * detected before anything is created. While the program starts, connections to the port are refused: a load balancer
 * sends a request to another process only if it could not connect.
 */
export async function reserveAddress({
  host,
  port,
  setting = 'PORT',
}: {
  host: string;
  port: number;
  /** The setting that contains the port, for error messages. */
  setting?: string;
}): Promise<ReservedAddress> {
  const explain = (error: unknown): never => {
    throw describeError(error, host, port, setting);
  };
  const holder = createServer((socket) => socket.destroy());
  const release = () => new Promise<void>((resolve) => holder.close(() => resolve()));
  await new Promise<void>((resolve, reject) => {
    holder.once('error', reject);
    holder.listen(0, host, resolve);
  }).catch(explain);
  const address = holder.address() as AddressInfo;
  const found = port || address.port;
  try {
    if (found !== address.port) await checkPort(found, address).catch(explain);
  } finally {
    if (port !== 0) await release();
  }
  const handOver: ReservedAddress['handOver'] = async (listen) => {
    await release();
    await listen({ host, port: found }).catch(explain);
  };
  return {
    port: found,
    release,
    handOver,
    handOverToHttp: (http) => handOver(async (address) => listenOn(http, await listAddresses(address))),
  };
}

/**
 * Fails if the port cannot be listened on. Listening for a moment would show it, too, but connections of that moment
 * would be reset, so this connects from the port to a listener on another one.
 */
function checkPort(port: number, listener: AddressInfo): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: loopbackOf[listener.address] ?? listener.address,
      port: listener.port,
      localAddress: listener.address,
      localPort: port,
    });
    socket.once('error', reject);
    // A reset leaves nothing behind that would keep the port in use.
    socket.once('connect', () => socket.resetAndDestroy());
    socket.once('close', () => resolve());
  });
}

const loopbackOf: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

function describeError(error: unknown, host: string, port: number, setting: string): unknown {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE') return new AddressError(`Port ${port} is already in use; set ${setting} to another port.`);
  if (code === 'EACCES')
    return new AddressError(`This user is not allowed to listen on port ${port}; set ${setting} to another port.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new AddressError(`HOST ${host} is not an address of this machine.`);
  return error;
}
