import { Agent, request } from 'node:http';

/** The baseline: sends the body `count` times, 16 in parallel, over keep-alive connections. */
export async function sendBare(url: string, body: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  let left = count;
  const send = () =>
    new Promise<void>((resolve, reject) => {
      const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
        response.resume();
        response.on('end', resolve);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  const sender = async () => {
    while (left-- > 0) await send();
  };
  await Promise.all(Array.from({ length: 16 }, sender));
  agent.destroy();
}
