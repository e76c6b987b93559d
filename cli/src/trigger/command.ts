import type { CatalogJob, EventType, JobAccepted, Order, OrderStatus, SandboxCancelOrderRequest } from '@aisle/sdk';
import { defineCommand } from '../command.ts';
import { storeOption } from '../commands/options.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { summaryOf } from '../event-types.ts';
import { getOrder } from '../orders/find-order.ts';
import { orderLine } from '../orders/show.ts';
import { count } from '../terminal/text.ts';
import { advanceOrder } from './advance-order.ts';
import { placeOrder } from './place-order.ts';
import { parseSetting, type Setting, setValues } from './set-values.ts';

type Given = { set?: Setting[]; store?: string; order?: string };
type Options = { set: Setting[]; store?: string; order?: string };
type Trigger = (context: Context, options: Options) => Promise<Order | CatalogJob>;

/** The sandbox cannot edit an order, or answer questions about replacements. */
type Triggered = Exclude<EventType, 'order.edited' | 'order.replacement_decided'>;

/** How each event is made to happen. A type of the contract that is missing here does not compile. */
const triggers: Record<Triggered, Trigger> = {
  'order.received': (context, options) => startOrder(context, options, 'RECEIVED'),
  'order.ready_for_pickup': (context, options) => startOrder(context, options, 'READY_FOR_PICKUP'),
  'order.dispatched': (context, options) => startOrder(context, options, 'DISPATCHED'),
  'order.delivered': (context, options) => startOrder(context, options, 'DELIVERED'),
  'order.cancelled': cancelOrder,
  'catalog.job_finished': updateCatalog,
  'catalog.export_finished': exportCatalog,
};

const triggeredTypes = Object.keys(triggers) as Triggered[];

export const triggerCommand = defineCommand<Given, [Triggered]>({
  name: 'trigger',
  args: [{ name: '<event>', description: 'the type of the event', choices: triggeredTypes }],
  summary: 'Make an event happen in the sandbox',
  details: `Makes the real thing happen at a test store, so that the event follows: places an order, picks it, lets the rider collect and deliver it, or runs a catalog job.\n\nEvents:\n${triggeredTypes
    .map((type) => `  ${type.padEnd(24)} ${summaryOf(type)}`)
    .join('\n')}`,
  options: [
    {
      flags: '--set <path=value>',
      description: 'change the request, as in items.0.sku=MLK-00012; can be repeated',
      parse: parseSetting,
      isRepeated: true,
    },
    storeOption,
    { flags: '--order <order>', description: 'continue with this order instead of placing one' },
  ],
  examples: [
    'trigger order.received --demo',
    'trigger order.received --set items.0.sku=MLK-00012 --store 1001',
    'trigger order.cancelled --set cancellation.reason=CHANGED_MIND',
    'trigger order.delivered --order K7QD-2M',
    'trigger catalog.job_finished --store 1001',
  ],
  async run(context, options, type) {
    if (options.order !== undefined && (type === 'order.received' || !type.startsWith('order.'))) {
      throw new UsageError(`${type} does not concern an existing order, so --order cannot be used.`);
    }
    const result = await triggers[type](context, { ...options, set: options.set ?? [] });
    context.show({ type, result }, () => resultText(context, type, result));
  },
});

/** A status that only orders with platform delivery can have needs such an order. */
async function startOrder(context: Context, options: Options, status: OrderStatus): Promise<Order> {
  const defaults = status === 'RECEIVED' ? {} : ({ transport_type: 'LOGISTICS_DELIVERY' } as const);
  const order = options.order
    ? await getOrder(context, options.order)
    : await placeOrder(context, await testStore(context, options.store), options.set, defaults);
  return advanceOrder(context, order, status);
}

async function cancelOrder(context: Context, options: Options): Promise<Order> {
  const isOwn = ({ path }: Setting) => path[0] === 'cancellation';
  const order = options.order
    ? await getOrder(context, options.order)
    : await placeOrder(
        context,
        await testStore(context, options.store),
        options.set.filter((one) => !isOwn(one)),
      );
  const cancellation: SandboxCancelOrderRequest = { cancelled_by: 'CUSTOMER', reason: 'CHANGED_MIND' };
  const { cancellation: body } = setValues({ cancellation }, options.set.filter(isOwn));
  return context.client().sandboxCancelOrder({ params: { order_id: order.order_id }, body });
}

/** Two items make a job. They keep the prices that they have. */
async function updateCatalog(context: Context, options: Options): Promise<CatalogJob> {
  const vendor_id = await testStore(context, options.store);
  const client = context.client();
  const { products } = await client.listCatalog({ params: { vendor_id }, query: { page_size: 2 } });
  const body = setValues({ products: products.map(({ sku, price }) => ({ sku, price })) }, options.set);
  const accepted = await client.updateCatalog(
    { params: { vendor_id }, body },
    { headers: { prefer: 'respond-async' } },
  );
  return client.waitForCatalogJob((accepted as JobAccepted).job_id, { signal: context.terminal.signal });
}

async function exportCatalog(context: Context, options: Options): Promise<CatalogJob> {
  if (options.set.length > 0) throw new UsageError('An export has no request body, so --set cannot be used.');
  const vendor_id = await testStore(context, options.store);
  return context.client().exportCatalog({ params: { vendor_id } }).finished({ signal: context.terminal.signal });
}

/** The given store, the default store, or the first test store of the chain. */
async function testStore(context: Context, given: string | undefined): Promise<string> {
  const store = given ?? context.connection().store;
  if (store !== undefined) return store;
  for await (const { vendor_id, test } of context.client().listVendors.all({ query: { page_size: 100 } })) {
    if (test) return vendor_id;
  }
  throw new UsageError('The chain has no test store.', 'Ask the operator to mark a store as a test store.');
}

function resultText(context: Context, type: EventType, result: Order | CatalogJob): string {
  const head = `${context.paint('green', '✓')} ${type}`;
  if ('job_id' in result) {
    const { succeeded, unchanged, failed } = result.progress;
    const isExport = result.job_type === 'CATALOG_EXPORT';
    const changes = `${count(succeeded, 'product')} changed, ${unchanged} unchanged, ${failed} failed`;
    const counts = isExport ? `${count(succeeded, 'product')} exported` : changes;
    return `${head}  job ${result.job_id}\n  ${counts}`;
  }
  const next =
    result.status === 'RECEIVED' ? `\n${context.paint('dim', `  aisle orders pick ${result.order_code}`)}` : '';
  return `${head}  ${orderLine(context, result)}\n  ${result.order_id}${next}`;
}
