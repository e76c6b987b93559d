import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message that reached a receiver. */
export type Arrival = { chainId: string; id: string; text: string };

export type Receivers = {
  urlOf(chainId: string): string;
  /** Makes the receivers that are down or gone respond like the others. */
  revive(): void;
  close(): Promise<void>;
};

export type ReceiverOptions = {
  /** How each chain's receiver behaves. */
  behaviors: ReadonlyMap<string, ReceiverBehavior>;
  onArrival(arrival: Arrival): void;
  /** Returns a number from 0 to 1. */
  random?: () => number;
  /** The host in the URLs. Default: 127.0.0.1. */
  host?: string;
  /** The address to listen on. Default: 127.0.0.1. */
  listenOn?: string;
};

export type ReceiverBehavior = keyof typeof responders;

/** The behaviors that never disable a webhook, so every event is delivered in the end. */
export const recoverableBehaviors = [
  'healthy',
  'error',
  'reset',
  'hang',
  'redirect',
  'slow',
  'late',
  'endless',
  'busy',
  'down',
  'silent',
  'truncated',
] as const satisfies ReceiverBehavior[];

export async function startReceivers({
  behaviors,
  onArrival,
  random = Math.random,
  host = '127.0.0.1',
  listenOn = '127.0.0.1',
}: ReceiverOptions): Promise<Receivers> {
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
    onArrival({ chainId, id: String(request.headers['webhook-id']), text });
    const behavior = behaviors.get(chainId);
    if (behavior) responders[behavior](response, { isRevived, chance: (share) => random() < share, random });
  });
  await new Promise<void>((resolve) => server.listen(0, listenOn, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (chainId) => `http://${host}:${port}/${chainId}`,
    revive() {
      isRevived = true;
      // Ends the requests that would never get a response.
      server.closeAllConnections();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Situation = { isRevived: boolean; chance(share: number): boolean; random(): number };
type Responder = (response: ServerResponse, situation: Situation) => void;

const succeed = (response: ServerResponse) => void response.writeHead(200).end('{"ok":true}');
const fail = (response: ServerResponse) => void response.writeHead(500).end('no');
const later = (ms: number, response: ServerResponse) => void setTimeout(() => succeed(response), ms);
/** Calls `respond` for this share of the messages, and responds with 200 to the others. */
const sometimes =
  (share: number, respond: (response: ServerResponse) => void): Responder =>
  (response, { chance }) =>
    chance(share) ? respond(response) : succeed(response);

/** How each kind of receiver responds. All except `healthy` can fail. */
const responders = {
  healthy: succeed,
  error: sometimes(0.3, fail),
  reset: sometimes(0.2, (response) => void response.destroy()),
  hang: sometimes(0.02, () => {}),
  redirect: sometimes(0.2, (response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()),
  slow: (response, { random }) => later(random() * 300, response),
  late: sometimes(0.05, (response) => later(3000, response)),
  endless: sometimes(0.2, sendForever),
  busy: sometimes(0.2, (response) => void response.writeHead(503, { 'retry-after': '2' }).end()),
  down: (response, { isRevived }) => (isRevived ? succeed(response) : fail(response)),
  silent: (response, { isRevived }) => (isRevived ? succeed(response) : undefined),
  truncated: sometimes(0.2, (response) => void response.writeHead(200, { 'content-length': '100' }).end('cut short')),
  /** 410 disables the webhook until the partner enables it again. */
  gone: (response, { isRevived, chance }) =>
    !isRevived && chance(0.05) ? void response.writeHead(410).end() : succeed(response),
} satisfies Record<string, Responder>;

/** Sends a response that never ends. */
function sendForever(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
    response.once('drain', more);
  };
  more();
}
