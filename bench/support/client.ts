import { connect, type Socket } from 'node:net';

type Response = { status: number; text: string };
type Connection = { socket: Socket; received: Buffer[]; finish: ((result: Response | Error) => void) | undefined };

/**
 * Creates an HTTP client for many small requests on a few keep-alive connections. It uses as little of the processor as
 * possible, because the server under test shares it: a request is one write, and of a response it reads only the status
 * and the length.
 */
export function createClient(url: string, connections: number) {
  const { hostname, port } = new URL(url);
  const all = new Set<Connection>();
  const idle: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];

  const open = (): Connection => {
    const connection: Connection = { socket: connect(Number(port), hostname), received: [], finish: undefined };
    const fail = (error: Error) => {
      all.delete(connection);
      connection.finish?.(error);
    };
    connection.socket.setNoDelay(true).on('error', fail);
    connection.socket.on('close', () => fail(new Error('The server closed the connection.')));
    connection.socket.on('data', (part: Buffer) => {
      connection.received.push(part);
      const response = readResponse(connection.received);
      if (!response) return;
      connection.received.length = 0;
      connection.finish?.(response);
    });
    all.add(connection);
    return connection;
  };
  const acquire = async (): Promise<Connection> =>
    idle.pop() ?? (all.size < connections ? open() : new Promise<Connection>((resolve) => void waiting.push(resolve)));
  const release = (connection: Connection) => {
    connection.finish = undefined;
    const next = waiting.shift();
    if (next) next(connection);
    else idle.push(connection);
  };

  return {
    async send(method: string, path: string, token: string, body?: unknown): Promise<Response> {
      const connection = await acquire();
      const result = await new Promise<Response | Error>((resolve) => {
        connection.finish = resolve;
        connection.socket.write(requestText(method, path, `${hostname}:${port}`, token, body));
      });
      if (result instanceof Error) throw result;
      release(connection);
      return result;
    },
    close() {
      for (const { socket } of all) socket.removeAllListeners('close').destroy();
    },
  };
}

export type Client = ReturnType<typeof createClient>;

function requestText(method: string, path: string, host: string, token: string, body: unknown): string {
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const payload = JSON.stringify(body);
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(payload)}\r\n\r\n${payload}`;
}

/** Returns undefined until the response is complete. Large lists have no Content-Length, but are sent in chunks. */
function readResponse(parts: Buffer[]): Response | undefined {
  const received = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const body = received.subarray(end + 4);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return body.length < Number(length) ? undefined : { status, text: body.toString('utf8') };
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) throw new Error(`A response without a length: ${head}`);
  return body.subarray(-lastChunk.length).equals(lastChunk) ? { status, text: joinChunks(body) } : undefined;
}

const lastChunk = Buffer.from('0\r\n\r\n');

/** Each chunk comes after its length in hexadecimal digits. */
function joinChunks(body: Buffer): string {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const start = body.indexOf('\r\n', at) + 2;
    const length = Number.parseInt(body.toString('latin1', at, start), 16);
    if (length === 0) return Buffer.concat(chunks).toString('utf8');
    chunks.push(body.subarray(start, start + length));
    at = start + length + 2;
  }
}

/** Runs `work` repeatedly in `width` parallel workers. Returns the number of runs per second. */
export async function repeat(width: number, seconds: number, work: (worker: number) => Promise<void>): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let done = 0;
  const loop = async (worker: number) => {
    while (performance.now() < until) {
      await work(worker);
      done += 1;
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: width }, (_, worker) => loop(worker)));
  return done / ((performance.now() - started) / 1000);
}
