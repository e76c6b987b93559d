import { Agent, request } from 'node:http';

/** Creates a lightweight HTTP client for many small requests on a few keep-alive connections. */
export function createClient(url: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);
  return {
    send(method: string, path: string, token: string, body?: unknown): Promise<{ status: number; text: string }> {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        ...(payload !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
        }),
      };
      return new Promise((resolve, reject) => {
        const call = request({ agent, hostname, port, method, path, headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        });
        call.on('error', reject);
        call.end(payload);
      });
    },
    close: () => agent.destroy(),
  };
}

export type Client = ReturnType<typeof createClient>;

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
