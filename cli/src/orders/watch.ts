import type { FeedEvent } from '@aisle/sdk';
import { defineCommand } from '../command.ts';
import { storeOption } from '../commands/options.ts';
import { type Context, findStoreId } from '../context.ts';
import { clockTime } from '../terminal/time.ts';
import { plain, truncate } from '../terminal/text.ts';
import { getOrder } from './find-order.ts';
import { orderLine } from './show.ts';

type OrderFeedEvent = Extract<FeedEvent, { type: `order.${string}` }>;

const types = [
  'order.received',
  'order.ready_for_pickup',
  'order.dispatched',
  'order.delivered',
  'order.cancelled',
  'order.edited',
  'order.replacement_decided',
] as const satisfies OrderFeedEvent['type'][];

const final = new Set<string>(['DELIVERED', 'PICKED_UP', 'CANCELLED']);

export const watchCommand = defineCommand<{ store?: string }, [string | undefined]>({
  name: 'orders watch',
  args: [{ name: '[order]', description: 'the id or the code of one order' }],
  summary: 'Follow orders live',
  details: 'Shows every change to your orders as it happens. With an order, it ends when that order is finished.',
  options: [storeOption],
  examples: ['orders watch', 'orders watch K7QD-2M', 'orders watch --store s8ym --json'],
  async run(context, { store: givenStore }, given) {
    const client = context.client();
    const store = await findStoreId(context, givenStore);
    const { next_cursor: from } = await client.listEvents({ query: { after: 'latest', limit: 1 } });
    const order = given === undefined ? undefined : await getOrder(context, given);
    if (order) context.showLine(order, () => orderLine(context, order));
    if (order && final.has(order.status)) return;
    if (!order) context.note(context.paint('dim', 'Waiting for changes to orders. Press Ctrl-C to stop.'));
    const done = new AbortController();
    let shown = order?.status;
    await client.consumeEvents({
      from,
      types,
      signal: AbortSignal.any([context.terminal.signal, done.signal]),
      onRetry: (error) => context.note(`The feed could not be read: ${plain(error.message)}`),
      handle(event) {
        if (store !== undefined && event.vendor_id !== store) return;
        if (order && event.body.order_id !== order.order_id) return;
        // The event of the status that was shown first can be published later.
        if (order && event.body.status === shown) return;
        shown = event.body.status;
        context.showLine(event, () => eventText(context, event));
        if (order && final.has(event.body.status)) done.abort();
      },
    });
  },
});

function eventText(context: Context, event: OrderFeedEvent): string {
  const store = context.paint('dim', truncate(plain(event.body.client.name), 20));
  return `${context.paint('dim', clockTime(new Date(event.created_at)))}  ${orderLine(context, event.body)}  ${store}`;
}
