import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A TCP proxy whose connections can be cut and slowed down. */
export type Proxy = {
  port: number;
  /** Resets all connections. */
  cut(): void;
  /** Delays every chunk by this many milliseconds; 0 for no delay. */
  slow(delayMs: number): void;
  close(): Promise<void>;
};

export type Target = { port: number; host: string } | { path: string };

export async function startProxy(target: () => Target): Promise<Proxy> {
  const clients = new Set<Socket>();
  let delayMs = 0;
  const server = createServer((client) => {
    const upstream = connect(target());
    clients.add(client);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        clients.delete(client);
        client.destroy();
        upstream.destroy();
      });
    }
    void forward(client, upstream, () => delayMs);
    void forward(upstream, client, () => delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const cut = () => clients.forEach((client) => client.resetAndDestroy());
  return {
    port: address.port,
    cut,
    slow: (ms) => {
      delayMs = ms;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}

async function forward(from: Socket, to: Socket, delayMs: () => number): Promise<void> {
  try {
    for await (const chunk of from) {
      const ms = delayMs();
      if (ms > 0) await sleep(ms);
      if (!to.write(chunk as Buffer)) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve));
    }
    to.end();
  } catch {
    to.destroy();
  }
}
