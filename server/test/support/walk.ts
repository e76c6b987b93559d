import assert from 'node:assert/strict';
import type { Response, TestAisle, TestChain } from './aisle.ts';

/** Reads a list such as `orders` page by page with a cursor. `noun` is the name of the array in the response. */
export function createWalk(aisle: Pick<TestAisle, 'call'>, chain: TestChain, list: string, noun: string) {
  const get = (query: Record<string, unknown> = {}, token = chain.token): Promise<Response> => {
    const given = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) given.set(name, String(value));
    return aisle.call('GET', `${chain.base}/${list}?${given.toString()}`, { token });
  };
  const read = async (query: Record<string, unknown> = {}, token?: string) => {
    const { status, text, body } = await get(query, token);
    assert.equal(status, 200, text);
    return { items: body[noun] as Response['body'][], cursor: body.next_cursor as string, hasMore: body.has_more };
  };
  /** Reads all pages. Returns all items and the last cursor. */
  const readAll = async (query: Record<string, unknown> = {}, token?: string) => {
    const { updated_since: _start, ...filters } = query;
    let page = await read(query, token);
    const items = [...page.items];
    let pages = 1;
    for (; page.hasMore; pages++) {
      assert.ok(pages < 10_000, 'the walk does not end');
      page = await read({ ...filters, cursor: page.cursor }, token);
      items.push(...page.items);
    }
    return { items, cursor: page.cursor, pages };
  };
  return { get, read, readAll };
}

/** Runs `work` in a transaction that then stays open until the test commits it. */
export async function holdOpen(
  { db }: Pick<TestAisle, 'db'>,
  work: Parameters<TestAisle['db']['transaction']>[0],
): Promise<{ commit(): Promise<void> }> {
  const { promise: mayCommit, resolve: release } = Promise.withResolvers<void>();
  const { promise: isDone, resolve: done } = Promise.withResolvers<void>();
  const transaction = db.transaction(async (tx) => {
    await work(tx);
    done();
    await mayCommit;
  });
  await Promise.race([isDone, transaction]);
  return {
    async commit() {
      release();
      await transaction;
    },
  };
}
