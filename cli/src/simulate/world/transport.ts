import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

export type Sent = { method: string; headers: Record<string, string>; body: string | undefined; timeoutMs: number };
export type Received = { status: number; headers: IncomingMessage['headers']; text: string };

const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

/**
 * Sends a request on a connection that is kept open. It takes less than half of the processor time of `fetch`, and the
 * server under test is usually on the same computer.
 */
export function sendOnce(url: string, { method, headers, body, timeoutMs }: Sent): Promise<Received> {
  const [request, agent] = url.startsWith('https:') ? [requestHttps, agents.https] : [requestHttp, agents.http];
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sending = request(url, { method, agent, headers: { ...headers, ...length } }, (message) => {
      const parts: Buffer[] = [];
      message.on('data', (part: Buffer) => parts.push(part));
      message.once('error', reject);
      message.once('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        resolve({ status: message.statusCode ?? 0, headers: message.headers, text });
      });
    });
    const deadline = setTimeout(() => sending.destroy(new Error('There was no response in time.')), timeoutMs);
    sending.once('close', () => clearTimeout(deadline));
    sending.once('error', reject);
    sending.end(body);
  });
}
