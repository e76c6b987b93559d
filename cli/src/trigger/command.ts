import type { CatalogJob, EventType, JobAccepted, Order } from '@aisle/sdk';
import { defineCommand } from '../command.ts';
import { storeOption } from '../commands/options.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';
import { eventTypes, summaryOf } from '../event-types.ts';
import { orderLine } from '../orders/show.ts';
import { count } from '../terminal/text.ts';
import { cancelOrder, decideReplacement, editOrder, type Options, startOrder } from './order-triggers.ts';
import { parseSetting, type Setting, setValues } from './set-values.ts';
import { testStore } from './test-store.ts';

type Given = { set?: Setting[]; store?: string; order?: string };
type Trigger = (context: Context, options: Options) => Promise<Order | CatalogJob>;

/** How each event is made to happen. A type of the contract that is missing here does not compile. */
const triggers: Record<EventType, Trigger> = {
  'order.received': (context, options) => startOrder(context, options, 'RECEIVED'),
  'order.ready_for_pickup': (context, options) => startOrder(context, options, 'READY_FOR_PICKUP'),
  'order.dispatched': (context, options) => startOrder(context, options, 'DISPATCHED'),
  'order.delivered': (context, options) => startOrder(context, options, 'DELIVERED'),
  'order.cancelled': cancelOrder,
  'order.edited': editOrder,
  'order.replacement_decided': decideReplacement,
  'catalog.job_finished': updateCatalog,
  'catalog.export_finished': exportCatalog,
};

export const triggerCommand = defineCommand<Given, [EventType]>({
  name: 'trigger',
  args: [{ name: '<event>', description: 'the type of the event', choices: eventTypes }],
  summary: 'Make an event happen in the sandbox',
  details: `Makes the real thing happen at a test store, so that the event follows: places an order, picks it, lets the rider collect and deliver it, or runs a catalog job. order.edited and order.replacement_decided need a platform token, because the customer's app causes them; --demo has one.\n\nEvents:\n${eventTypes
    .map((type) => `  ${type.padEnd(26)} ${summaryOf(type)}`)
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
    result.status === 'RECEIVED'
      ? `\n${context.paint('dim', `  ${context.command(`orders pick ${result.order_code}`)}`)}`
      : '';
  return `${head}  ${orderLine(context, result)}\n  ${result.order_id}${next}`;
}
