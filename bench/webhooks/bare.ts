import { Agent, request } from 'node:http';

/** Sends the body so many times, 16 at a time over kept connections, and nothing else: the limit of any sender. */
export async function sendBare(url: string, body: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  let left = count;
  const send = () =>
    new Promise<void>((resolve, reject) => {
      const sending = request(url, { method: 'POST', agent, headers }, (response) => {
        response.resume();
        response.on('end', resolve);
      });
      sending.on('error', reject);
      sending.end(body);
    });
  const sender = async () => {
    while (left-- > 0) await send();
  };
  await Promise.all(Array.from({ length: 16 }, sender));
  agent.destroy();
}
