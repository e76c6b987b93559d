import { isApiError, type MarkInput, type Order, type PickingState, type PutOrderResponse } from '@aisle/sdk';
import { defineCommand } from '../command.ts';
import { connect, type Context } from '../context.ts';
import { CliError, StoppedError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { createPrompt, type Prompt } from '../terminal/prompt.ts';
import { wholeNumber } from '../commands/options.ts';
import { plain } from '../terminal/text.ts';
import { getOrder } from './find-order.ts';
import { cartFrom } from './marks.ts';
import { type Cart, everythingFound, fulfilBody, fulfilStatus } from './picks.ts';
import { orderLine, orderText, queueTable } from './show.ts';
import { walkOrder } from './walk.ts';

type Options = { all?: boolean; takeOver?: boolean; store?: string };

export const pickCommand = defineCommand<Options, [string | undefined]>({
  name: 'orders pick',
  args: [{ name: '[order]', description: 'the id or the code of the order; without it, choose one' }],
  summary: 'Pick an order, item by item',
  details:
    'Walks through the items of an order and asks for each one: found, not found, weigh or replace. Products can be added at the end. Then fulfils the order. Other pickers see that you are picking it, and what you have picked; what they, or you, picked before is not asked again.',
  options: [
    { flags: '--all', description: 'everything was found as ordered; asks nothing' },
    { flags: '--take-over', description: 'pick the order although another picker has claimed it' },
    { flags: '-s, --store <store>', description: 'choose from the orders of this store' },
  ],
  examples: ['orders pick', 'orders pick K7QD-2M', 'orders pick K7QD-2M --all --json'],
  async run(context, options, given) {
    const prompt = createPrompt(context.terminal);
    try {
      const order = await chooseOrder(context, prompt, given, options);
      const fulfilled = await pickOrder(context, prompt, order, options);
      context.show(fulfilled, () => resultText(context, fulfilled));
    } finally {
      prompt.close();
    }
  },
});

async function chooseOrder(context: Context, prompt: Prompt, given: string | undefined, { store }: Options) {
  if (given !== undefined) return getOrder(context, given);
  const query = store === undefined ? {} : { vendor_id: [store] };
  const { orders } = await context.client().listPickingQueue({ query });
  const newest = orders.toSorted((a, b) => b.created_at.localeCompare(a.created_at)).slice(0, 20);
  const [first] = newest;
  if (!first)
    throw new CliError('No order is waiting to be picked.', {
      hint: `${context.command('trigger order.received')} places one.`,
    });
  context.note(queueTable(context, newest));
  const choice = (await prompt.ask('Which one? [1] ')) || '1';
  const byCode = newest.find(({ order_code }) => order_code.toLowerCase() === choice.toLowerCase());
  const chosen = byCode ?? newest[wholeNumber('The number', choice, 1, newest.length) - 1] ?? first;
  return context.client().getOrder({ params: { order_id: chosen.order_id } });
}

/** Claims the order while it is being picked, and releases it if it was not fulfilled. */
async function pickOrder(context: Context, prompt: Prompt, order: Order, options: Options): Promise<PutOrderResponse> {
  const status = fulfilStatus(order);
  if (status === undefined) {
    const hint = `Allowed now: ${order.allowed_actions.map(({ action }) => action).join(', ') || 'nothing'}`;
    throw new CliError(`The order ${order.order_code} is ${order.status}, so it cannot be picked.`, {
      exitCode: exitCodes.conflict,
      hint,
    });
  }
  const params = { order_id: order.order_id };
  const client = context.client();
  const { lines } = await claim(context, prompt, order, options);
  try {
    // Fails if the order has changed since it was shown.
    const headers = { 'if-match': `"${order.revision}"` };
    const send = async (cart: Cart) => {
      rejectTaken(await client.getPicking({ params }));
      return client.putOrder({ params, body: fulfilBody(order, cart, status) }, { headers });
    };
    if (options.all) return await send(everythingFound(order));
    context.note(orderText(context, order));
    const cart = cartFrom(order, lines);
    if (cart.picks.size > 0) context.note(`Already picked: ${cart.picks.size} of ${order.items.length}.`);
    const share = async (mark: MarkInput) =>
      void (await client.markItems({ params, body: { order_revision: order.revision, marks: [mark] } }));
    return await walkOrder(context, prompt, { order, cart, share, send });
  } catch (error) {
    // Also after Ctrl-C, which has ended the requests of the other client.
    await connect(context.connection(), undefined)
      .releaseOrder({ params }, { timeoutMs: 5000, retries: 0 })
      .catch(() => {});
    throw error;
  }
}

/** If another picker has claimed the order, asks what to do, if there is a terminal. */
async function claim(context: Context, prompt: Prompt, order: Order, options: Options): Promise<PickingState> {
  const send = (mode: 'CLAIM' | 'SHARE' | 'TAKE_OVER') =>
    context.client().claimOrder({ params: { order_id: order.order_id }, body: { mode } });
  try {
    return await send(options.takeOver ? 'TAKE_OVER' : 'CLAIM');
  } catch (error) {
    if (!isApiError(error, 'order_claimed')) throw error;
    const detail = plain(error.problem.detail);
    if (options.all || context.terminal.stdin.isTTY !== true) {
      throw new CliError(detail, { exitCode: exitCodes.conflict, hint: 'Add --take-over to pick it anyway.' });
    }
    context.note(detail);
    const choice = await prompt.ask('Pick it together [p], take it over [t], quit [Enter]: ');
    if (choice === 'p') return send('SHARE');
    if (choice === 't') return send('TAKE_OVER');
    throw new StoppedError();
  }
}

/** Fails if another picker has taken the order over. */
function rejectTaken({ pickers }: PickingState): void {
  if (pickers.length === 0 || pickers.some(({ is_me }) => is_me)) return;
  const names = pickers.map(({ name }) => plain(name)).join(', ');
  throw new CliError(`The order has been taken over by ${names}.`, { exitCode: exitCodes.conflict });
}

function resultText(context: Context, order: PutOrderResponse): string {
  const warnings = (order.warnings ?? []).map(({ message }) => context.paint('yellow', plain(message)));
  return [`${context.paint('green', '✓')} ${orderLine(context, order)}`, ...warnings].join('\n');
}
