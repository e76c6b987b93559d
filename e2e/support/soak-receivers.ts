import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message that reached a receiver. */
export type Arrival = { chainId: string; id: string; text: string };

export type Receivers = {
  urlOf(chainId: string): string;
  arrivals: Arrival[];
  /** Makes the receivers that were down respond like the others. */
  revive(): void;
  close(): Promise<void>;
};

type Behavior = (response: ServerResponse, isRevived: boolean) => void;

const chance = (share: number) => Math.random() < share;
const succeed = (response: ServerResponse) => void response.writeHead(200).end('{"ok":true}');
const fail = (response: ServerResponse) => void response.writeHead(500).end('no');
const after = (ms: number, then: (response: ServerResponse) => void) => (response: ServerResponse) =>
  void setTimeout(() => then(response), ms);

/** The behaviors of the receivers, assigned to the chains in rotation. */
const behaviors: Behavior[] = [
  succeed,
  (response) => (chance(0.3) ? fail(response) : succeed(response)),
  (response) => (chance(0.2) ? void response.destroy() : succeed(response)),
  (response) => (chance(0.02) ? undefined : succeed(response)),
  (response) =>
    chance(0.2) ? void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end() : succeed(response),
  (response) => after(Math.random() * 300, succeed)(response),
  (response) => (chance(0.05) ? after(3000, succeed)(response) : succeed(response)),
  (response) => (chance(0.2) ? sendForever(response) : succeed(response)),
  (response) => (chance(0.2) ? void response.writeHead(503, { 'retry-after': '2' }).end() : succeed(response)),
  (response, isRevived) => (isRevived ? succeed(response) : fail(response)),
  (response, isRevived) => (isRevived ? succeed(response) : undefined),
  (response) =>
    chance(0.2) ? void response.writeHead(200, { 'content-length': '100' }).end('cut short') : succeed(response),
];

export async function startReceivers(chainIds: string[]): Promise<Receivers> {
  const arrivals: Arrival[] = [];
  let isRevived = false;
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    const text = (
      await request
        .setEncoding('utf8')
        .toArray()
        .catch(() => [''])
    ).join('');
    const chainId = String(request.url).slice(1);
    arrivals.push({ chainId, id: String(request.headers['webhook-id']), text });
    behaviors[chainIds.indexOf(chainId) % behaviors.length]?.(response, isRevived);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (chainId) => `http://127.0.0.1:${port}/${chainId}`,
    arrivals,
    revive() {
      isRevived = true;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends a response that never ends. */
function sendForever(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
    response.once('drain', more);
  };
  more();
}
