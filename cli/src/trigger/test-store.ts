import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';

/** The given store, the default store, or the first test store of the chain. */
export async function testStore(context: Context, given: string | undefined): Promise<string> {
  const store = given ?? context.connection().store;
  if (store !== undefined) return store;
  for await (const { vendor_id, test } of context.client().listVendors.all({ query: { page_size: 100 } })) {
    if (test) return vendor_id;
  }
  throw new UsageError('The chain has no test store.', 'Ask the operator to mark a store as a test store.');
}
