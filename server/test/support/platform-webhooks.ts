import assert from 'node:assert/strict';
import type { PlatformEventType } from '@aisle/contract/platform-events';
import type { Response, TestAisle } from './aisle.ts';
import { waitFor } from './wait.ts';

type Platform = Pick<TestAisle, 'call' | 'platformToken'>;
type Json = Response['body'];

export async function makePlatformWebhook(
  { call, platformToken: token }: Platform,
  url: string,
  types: PlatformEventType[],
): Promise<Json> {
  const response = await call('POST', '/platform/v1/webhooks', { token, body: { url, event_types: types } });
  assert.equal(response.status, 201, response.text);
  return response.body;
}

/** A reader of the platform's feed that starts with the next event. */
export async function followPlatformFeed({ call, platformToken: token }: Platform, query = '') {
  const read = async (after: string): Promise<Json> => {
    const response = await call('GET', `/platform/v1/events?limit=500&after=${after}${query}`, { token });
    assert.equal(response.status, 200, response.text);
    return response.body;
  };
  let { next_cursor: cursor } = await read('latest');
  const seen: Json[] = [];
  const poll = async () => {
    const { events, next_cursor } = await read(cursor);
    cursor = next_cursor;
    seen.push(...events);
  };
  return {
    seen,
    poll,
    /** Waits for events that match, and returns all that have been read. */
    async waitFor(count: number, isMatch: (event: Json) => boolean = () => true): Promise<Json[]> {
      await waitFor(`${count} events`, async () => {
        await poll();
        return seen.filter(isMatch).length >= count;
      });
      return seen.filter(isMatch);
    },
  };
}
