import { Agent } from 'undici';

/** The baseline: sends the body `count` times with Aisle's HTTP client, 16 in parallel, over keep-alive connections. */
export async function sendBare(url: string, body: string, count: number): Promise<void> {
  const { origin, pathname } = new URL(url);
  const agent = new Agent({ connections: 16, pipelining: 1 });
  const headers = { 'content-type': 'application/json' };
  let left = count;
  const sender = async () => {
    while (left-- > 0) {
      const response = await agent.request({ origin, path: pathname, method: 'POST', headers, body });
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: 16 }, sender));
  await agent.close();
}
