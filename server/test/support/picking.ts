import assert from 'node:assert/strict';
import { newId } from '../../src/kernel/values/ids.ts';
import { callerFor, makeUser, type Response, type TestAisle, type TestChain } from './aisle.ts';

type Body = Response['body'];

/** A signed-in picker, with functions for what a picking device does with an order. */
export async function makePicker(
  aisle: TestAisle,
  chain: TestChain,
  name: string,
  vendor_ids: string[] = chain.vendors,
) {
  const user = await makeUser(aisle, chain.chainId, 'PICKER', { name, vendor_ids });
  const call = callerFor(aisle, chain, user.session);
  const at = ({ order_id }: Body, path = '') => `/orders/${order_id}/picking${path}`;
  return {
    ...user,
    name,
    actor: `user:${user.user_id}`,
    call,
    claim: (order: Body, mode?: string) => call('POST', at(order, '/claim'), { body: mode ? { mode } : {} }),
    release: (order: Body) => call('DELETE', at(order, '/claim')),
    mark: (order: Body, marks: unknown[], order_revision = order.revision) =>
      call('PUT', at(order, '/marks'), { body: { order_revision, marks } }),
    read: async (order: Body, query = ''): Promise<Body> => {
      const response = await call('GET', `${at(order)}${query}`);
      assert.equal(response.status, 200, response.text);
      return response.body;
    },
    queue: async (query = ''): Promise<Body> => {
      const response = await call('GET', `/picking/queue${query}`);
      assert.equal(response.status, 200, response.text);
      return response.body;
    },
  };
}

/** A mark of an item with a new id. By default, the item is in the cart. */
export function markOf(item: Body, more: Record<string, unknown> = {}): Body {
  return { mark_id: newId(), line_id: item._id, state: 'IN_CART', marked_at: '2026-05-04T09:33:12.000Z', ...more };
}

/** A mark that adds a product to the order. */
export function addition(sku: string, more: Record<string, unknown> = {}): Body {
  return { ...markOf({ _id: newId() }), state: 'ADDED', sku, quantity: 1, ...more };
}

/** What a picking state says about its pickers and lines, without times and ids. */
export function summary(state: Body): Body {
  return {
    pickers: state.pickers.map((picker: Body) => picker.name),
    lines: state.lines.map((line: Body) => [line.state, line.quantity ?? line.weight, line.marked_by.name].join(' ')),
  };
}
