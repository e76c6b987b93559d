import { makeUser, type Response, type TestAisle, type TestChain } from './aisle.ts';
import { waitFor } from './wait.ts';

/** A chain's request log. It is read with a portal session, because requests with a session are not logged. */
export type RequestLog = {
  list(query?: string): Promise<Response['body']>;
  /** Waits until the request for this response is in the log, and returns the request with its details. */
  find(response: Pick<Response, 'headers'>): Promise<Response['body']>;
  /** Waits until the list has this many entries, and returns them. */
  waitForCount(count: number, query?: string): Promise<Response['body'][]>;
};

export async function openRequestLog(
  aisle: Pick<TestAisle, 'call' | 'db'>,
  chain: Pick<TestChain, 'chainId' | 'base'>,
): Promise<RequestLog> {
  const { session } = await makeUser(aisle, chain.chainId, 'VIEWER');
  const get = (path: string) => aisle.call('GET', `${chain.base}/requests${path}`, { token: session });
  const list = async (query = '') => (await get(query)).body;
  return {
    list,
    async find({ headers }) {
      const id = String(headers['x-request-id']);
      let found: Response | undefined;
      await waitFor(`the log to contain ${id}`, async () => {
        found = await get(`/${id}`);
        return found.status === 200;
      });
      return found?.body;
    },
    async waitForCount(count, query = '') {
      let entries: Response['body'][] = [];
      await waitFor(`the log to have ${count} entries`, async () => {
        entries = (await list(query)).requests;
        return entries.length === count;
      });
      return entries;
    },
  };
}
