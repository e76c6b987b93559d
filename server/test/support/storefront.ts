import assert from 'node:assert/strict';
import type { Response, TestAisle, TestChain } from './aisle.ts';

/** Reads a page of a chain's changes. */
export function getChanges(aisle: TestAisle, chain: TestChain, query: Record<string, unknown> = {}): Promise<Response> {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) given.set(name, String(value));
  const path = `/platform/v1/chains/${chain.chainId}/changes?${given.toString()}`;
  return aisle.call('GET', path, { token: aisle.platformToken });
}

/** A storefront that keeps a copy of a chain's products. */
export function copyCatalog(aisle: TestAisle, chain: TestChain, limit = 100) {
  const products = new Map<string, Response['body']>();
  const promotions = new Map<string, Response['body']>();
  let cursor: string | undefined;
  const key = (product: Response['body']) => `${product.vendor_id} ${product.sku}`;
  /** Reads all changes and returns the keys of the products that were returned. */
  const sync = async (): Promise<string[]> => {
    const seen = new Set<string>();
    for (let hasMore = true, pages = 0; hasMore; pages++) {
      assert.ok(pages < 1000, 'the walk does not end');
      const { status, text, body } = await getChanges(aisle, chain, { limit, ...(cursor && { cursor }) });
      assert.equal(status, 200, text);
      assert.ok(body.products.length <= limit);
      for (const product of body.products) {
        products.set(key(product), product);
        seen.add(key(product));
      }
      for (const promotion of body.promotions) promotions.set(promotion.promotion_id, promotion);
      cursor = body.next_cursor;
      hasMore = body.has_more;
    }
    return [...seen].toSorted();
  };
  /** Checks that the copy equals what a new reader gets. */
  const assertEqual = async () => {
    const fresh = copyCatalog(aisle, chain);
    await fresh.sync();
    assert.deepEqual(Object.fromEntries(products), Object.fromEntries(fresh.products));
  };
  const start = (from: string) => {
    cursor = from;
  };
  return { products, promotions, sync, assertEqual, start, cursor: () => cursor };
}
