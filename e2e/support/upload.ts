import { Agent, type IncomingMessage, request } from 'node:http';
import { within } from './wait.ts';

/** A request that stays in flight until the test completes it. */
export type Upload = {
  /** Resolves when the server has received the first half of the body. */
  inFlight: Promise<void>;
  finish(): void;
  abort(): void;
  response: Promise<{ status: number; text: string }>;
};

/** Sends half of the body. The connection is kept alive, as with most clients. */
export function startUpload(url: string, method: string, token: string, body: unknown): Upload {
  const text = JSON.stringify(body);
  const half = Math.floor(text.length / 2);
  const sending = request(url, {
    method,
    agent: new Agent({ keepAlive: true }),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      // The server sends 100 Continue when it has read the headers. From then on, the request is in flight.
      expect: '100-continue',
    },
  });
  const received = new Promise<IncomingMessage>((resolve, reject) => {
    sending.once('response', resolve);
    sending.once('error', reject);
  });
  const response = received.then(async (message) => ({
    status: message.statusCode ?? 0,
    text: (await message.setEncoding('utf8').toArray()).join(''),
  }));
  // A test that aborts the upload causes an error here, which is ignored.
  response.catch(() => {});
  const continued = new Promise<void>((resolve) => {
    sending.once('continue', () => sending.write(text.slice(0, half), () => resolve()));
  });
  sending.flushHeaders();
  return {
    inFlight: within(5, 'the server to start reading the upload', continued),
    finish: () => void sending.end(text.slice(half)),
    abort: () => void sending.destroy(),
    response,
  };
}
