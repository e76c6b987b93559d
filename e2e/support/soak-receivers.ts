import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the webhooks received, in the order of arrival. */
export type Arrival = { chainId: string; id: string; text: string };

export type Receivers = {
  urlOf(chainId: string): string;
  arrivals: Arrival[];
  /** From now on the receivers that were dead respond like the others. */
  revive(): void;
  close(): Promise<void>;
};

type Manner = (response: ServerResponse, isRevived: boolean) => void;

const chance = (share: number) => Math.random() < share;
const well = (response: ServerResponse) => void response.writeHead(200).end('{"ok":true}');
const badly = (response: ServerResponse) => void response.writeHead(500).end('no');
const after = (ms: number, then: (response: ServerResponse) => void) => (response: ServerResponse) =>
  void setTimeout(() => then(response), ms);

/** One of these for each chain, in turn. */
const manners: Manner[] = [
  well,
  (response) => (chance(0.3) ? badly(response) : well(response)),
  (response) => (chance(0.2) ? void response.destroy() : well(response)),
  (response) => (chance(0.02) ? undefined : well(response)),
  (response) =>
    chance(0.2) ? void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end() : well(response),
  (response) => after(Math.random() * 300, well)(response),
  (response) => (chance(0.05) ? after(3000, well)(response) : well(response)),
  (response) => (chance(0.2) ? pour(response) : well(response)),
  (response) => (chance(0.2) ? void response.writeHead(503, { 'retry-after': '2' }).end() : well(response)),
  (response, isRevived) => (isRevived ? well(response) : badly(response)),
  (response, isRevived) => (isRevived ? well(response) : undefined),
  (response) =>
    chance(0.2) ? void response.writeHead(200, { 'content-length': '100' }).end('cut short') : well(response),
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
    manners[chainIds.indexOf(chainId) % manners.length]?.(response, isRevived);
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

/** A response that never ends. */
function pour(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
    response.once('drain', more);
  };
  more();
}
