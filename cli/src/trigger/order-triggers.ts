import type {
  AisleClient,
  Order,
  OrderStatus,
  PlatformEditOrderRequest,
  Product,
  SandboxCancelOrderRequest,
} from '@aisle/sdk';
import { findPlatform } from '../config/connection.ts';
import { connect, type Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { getOrder } from '../orders/find-order.ts';
import { advanceOrder } from './advance-order.ts';
import { placeOrder } from './place-order.ts';
import { type Setting, setValues } from './set-values.ts';
import { testStore } from './test-store.ts';

export type Options = { set: Setting[]; store?: string; order?: string };

/** A status that only orders with platform delivery can have needs such an order. */
export async function startOrder(context: Context, options: Options, status: OrderStatus): Promise<Order> {
  const defaults = status === 'RECEIVED' ? {} : ({ transport_type: 'LOGISTICS_DELIVERY' } as const);
  return advanceOrder(context, await findOrPlace(context, options, defaults), status);
}

/** `cancellation` is set in the cancellation, and everything else in the order that is placed for it. */
export async function cancelOrder(context: Context, options: Options): Promise<Order> {
  const [own, others] = divide(options.set, 'cancellation');
  const { order_id } = await findOrPlace(context, { ...options, set: others });
  const cancellation: SandboxCancelOrderRequest = { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' };
  const { cancellation: body } = setValues({ cancellation }, own);
  return context.client().sandboxCancelOrder({ params: { order_id }, body });
}

/** Changes what the customer can change afterwards: the comment and the promised time. */
export async function editOrder(context: Context, options: Options): Promise<Order> {
  const platform = connectPlatform(context);
  const [own, others] = divide(options.set, 'comment', 'promised_for');
  const { order_id } = await findOrPlace(context, { ...options, set: others });
  const edit: PlatformEditOrderRequest = own.length > 0 ? {} : { comment: 'Changed with aisle trigger.' };
  return platform.platformEditOrder({ params: { order_id }, body: setValues(edit, own) });
}

/** The store proposes the best replacement for an item, and the customer accepts it. */
export async function decideReplacement(context: Context, options: Options): Promise<Order> {
  const platform = connectPlatform(context);
  const order = await findOrPlace(context, options, { replacement_policy: 'ASK' });
  const { order_id, order_code, items } = order;
  const item = items.find(({ approval, pricing }) => {
    return approval ? approval.state === 'PROPOSED' : pricing.pricing_type === 'UNIT';
  });
  if (!item)
    throw new CliError(`No item of the order ${order_code} can be replaced.`, { exitCode: exitCodes.conflict });
  const params = { order_id, item_id: item._id };
  if (!item.approval) {
    const sku = await findReplacement(context, order, item._id);
    await context.client().proposeReplacement({ params, body: { sku } });
  }
  return platform.platformApproveReplacement({ params });
}

/** A product that resembles the item, or else any other product that the store sells by unit. */
async function findReplacement(context: Context, { order_id, items, client }: Order, item_id: string): Promise<string> {
  const { candidates } = await context.client().listReplacementCandidates({ params: { order_id, item_id } });
  const params = { vendor_id: client.store_id };
  const isOther = ({ sku, available, is_sold_by_weight }: Product) =>
    available && !is_sold_by_weight && items.every((item) => item.sku !== sku);
  const { products } = await context.client().listCatalog({ params, query: { is_active: true, page_size: 100 } });
  const found = candidates.find(({ is_sold_by_weight }) => !is_sold_by_weight) ?? products.find(isOther);
  if (found) return found.sku;
  throw new CliError(`The store ${client.store_id} has no other product that could replace the item.`);
}

async function findOrPlace(
  context: Context,
  { order, store, set }: Options,
  defaults: Parameters<typeof placeOrder>[3] = {},
): Promise<Order> {
  if (order !== undefined) return getOrder(context, order);
  return placeOrder(context, await testStore(context, store), set, defaults);
}

/** The settings that start with one of the names, and the others. */
function divide(settings: Setting[], ...names: string[]): [own: Setting[], others: Setting[]] {
  const isOwn = ({ path }: Setting) => names.includes(String(path[0]));
  return [settings.filter(isOwn), settings.filter((one) => !isOwn(one))];
}

/** What only the customer's app can do needs the operator's token. */
function connectPlatform({ terminal, options }: Context): AisleClient {
  const { url, token } = findPlatform(terminal, options);
  return connect({ url, token, source: 'the platform token' }, terminal.signal);
}
