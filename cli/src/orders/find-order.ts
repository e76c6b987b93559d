import type { Order } from '@aisle/sdk';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Finds an order by its id or by its code, which is what people see on labels. */
export async function getOrder(context: Context, given: string): Promise<Order> {
  const client = context.client();
  if (uuid.test(given)) return client.getOrder({ params: { order_id: given } });
  const { orders } = await client.searchOrders({ query: { query_term: given, page_size: 50 } });
  const found = orders.filter(({ order_code }) => order_code.toLowerCase() === given.toLowerCase());
  const [first] = found;
  if (first && found.length === 1) return first;
  if (first) {
    const ids = found.map(({ order_id }) => order_id).join(', ');
    throw new CliError(`Several orders have the code ${given}.`, { exitCode: exitCodes.usage, hint: `Ids: ${ids}` });
  }
  throw new CliError(`There is no order with the id or code ${given}.`, {
    exitCode: exitCodes.notFound,
    hint: 'aisle orders list shows the latest orders.',
  });
}
