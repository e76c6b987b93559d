import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A proxy in front of PostgreSQL that counts round trips: how many times a connection sent something after it had
 * received a response. `transactions` lists the round trips of each transaction, in the order in which they ended.
 */
export async function startCountingProxy(databaseUrl: string) {
  const { hostname, port, searchParams } = new URL(databaseUrl);
  const folder = searchParams.get('host');
  const target = folder ? { path: `${folder}/.s.PGSQL.${port || 5432}` } : { host: hostname, port: Number(port) };
  let count = 0;
  const transactions: number[] = [];
  const sockets = new Set<Socket>();
  const swallowed = new Set<Socket>();
  let isHung = false;
  let hangsAt: string | undefined;
  let spoiled: string | undefined;
  const spoil = (sent: Buffer): Buffer => {
    const at = spoiled === undefined ? -1 : sent.indexOf(spoiled);
    if (at < 0) return sent;
    spoiled = undefined;
    return Buffer.from(sent).fill('?', at, at + 1);
  };
  const server = createServer((client) => {
    sockets.add(client);
    const upstream = connect(target as { host: string; port: number });
    let isWaiting = false;
    let inTransaction = 0;
    client.on('data', (sent) => {
      if (sent.includes('begin')) inTransaction = 0;
      if (!isWaiting) {
        count += 1;
        inTransaction += 1;
      }
      isWaiting = true;
      if (hangsAt !== undefined && sent.includes(hangsAt)) isHung = true;
      if (sent.includes('commit\0')) transactions.push(inTransaction);
      if (!isHung && !swallowed.has(client)) upstream.write(spoil(sent));
    });
    upstream.on('data', (received) => {
      isWaiting = false;
      if (!isHung) client.write(received);
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    roundTrips: () => count,
    transactions,
    /** From now on, what the current connections send does not arrive, as if the server's host had disappeared. */
    swallow() {
      for (const socket of sockets) swallowed.add(socket);
    },
    /**
     * From now on, or from a statement with this text on, the server neither responds nor closes connections, also new
     * ones, as if it were frozen.
     */
    hang(at?: string) {
      isHung = at === undefined;
      hangsAt = at;
      // Otherwise, the proxy would close connections that the client closes.
      if (isHung) for (const socket of sockets) socket.pause();
    },
    /** The next statement that contains this text gets a syntax error. */
    spoilNext(text: string) {
      spoiled = text;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
