import type { Order, PutOrder } from '@aisle/sdk';
import { defineCommand } from '../command.ts';
import { durationOf, limitOption, pageSize, storeOption, take } from '../commands/options.ts';
import { getOrder } from './find-order.ts';
import { pickCommand } from './pick.ts';
import { orderLine, orderText, ordersTable } from './show.ts';
import { watchCommand } from './watch.ts';

const statuses = ['RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'PICKED_UP', 'CANCELLED'] as const;
const reasons = ['CLOSED', 'ITEM_UNAVAILABLE', 'TOO_BUSY'] as const;
const orderArgument = { name: '<order>', description: 'the id or the code of the order' };

type ListOptions = { store?: string; status?: Order['status']; search?: string; since?: number; limit: number };

const list = defineCommand<ListOptions>({
  name: 'orders list',
  summary: 'List orders, the newest first',
  details: 'Lists the orders of all stores, the newest first.',
  options: [
    storeOption,
    { flags: '--status <status>', description: 'only orders with this status', choices: statuses },
    { flags: '-q, --search <text>', description: 'an order code, a phone number or a name' },
    {
      flags: '--since <duration>',
      description: 'only orders of the last 90s, 15m, 2h or 1d',
      parse: (text) => durationOf('--since', text),
    },
    limitOption,
  ],
  examples: ['orders list', 'orders list --store 1001 --status RECEIVED', 'orders list --since 1d --limit 500 --json'],
  async run(context, { store, status, search, since, limit }) {
    const start = since === undefined ? undefined : new Date(context.terminal.now().getTime() - since).toISOString();
    const query = { vendor_id: store, status, query_term: search, start_time: start, page_size: pageSize(limit) };
    const orders = await take(context.client().searchOrders.all({ query }), limit);
    context.show(orders, () => ordersTable(context, orders));
  },
});

const get = defineCommand<object, [string]>({
  name: 'orders get',
  args: [orderArgument],
  summary: 'Show an order with its items',
  examples: ['orders get K7QD-2M', 'orders get 0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4 --json'],
  async run(context, _options, given) {
    const order = await getOrder(context, given);
    context.show(order, () => orderText(context, order));
  },
});

type CancelOptions = { reason: NonNullable<PutOrder['cancellation']>['reason'] };

const cancel = defineCommand<CancelOptions, [string]>({
  name: 'orders cancel',
  args: [orderArgument],
  summary: 'Cancel an order that the store cannot fulfil',
  details:
    'Cancels an order as the store. To cancel it as the customer in the sandbox, use aisle trigger order.cancelled --order.',
  options: [
    {
      flags: '--reason <reason>',
      description: 'why the store cannot fulfil it',
      choices: reasons,
      default: 'ITEM_UNAVAILABLE',
    },
  ],
  examples: ['orders cancel K7QD-2M', 'orders cancel K7QD-2M --reason TOO_BUSY'],
  async run(context, { reason }, given) {
    const { order_id } = await getOrder(context, given);
    // The items are ignored, but the strict profile requires them.
    const body = { status: 'CANCELLED' as const, items: [], cancellation: { reason } };
    const order = await context.client().putOrder({ params: { order_id }, body });
    context.show(order, () => `${context.paint('green', '✓')} ${orderLine(context, order)}`);
  },
});

export const orderCommands = [list, get, pickCommand, cancel, watchCommand];
