import { ApiError, type MarkInput, type Order, type OrderItem, type PutOrderResponse } from '@aisle/sdk';
import type { Context } from '../context.ts';
import { StoppedError } from '../errors.ts';
import { explainError, formatError } from '../report-error.ts';
import type { Prompt } from '../terminal/prompt.ts';
import { plain } from '../terminal/text.ts';
import { askAmount, chooseAddition, chooseReplacement } from './choose-product.ts';
import { markOf, markOfAddition } from './marks.ts';
import { type Cart, isByWeight, orderedAmount, type Pick as ItemPick } from './picks.ts';
import { amountText } from './show.ts';

type Walk = { context: Context; prompt: Prompt; order: Order; cart: Cart; share(mark: MarkInput): Promise<void> };

type Send = (cart: Cart) => Promise<PutOrderResponse>;

/**
 * Asks what happened to each item that is not in the cart yet, and then what to do with the order. Each answer is shared
 * with the other pickers. If the API rejects the cart, the picker can correct it.
 */
export async function walkOrder(
  context: Context,
  prompt: Prompt,
  { order, cart, share, send }: Pick<Walk, 'order' | 'cart' | 'share'> & { send: Send },
): Promise<PutOrderResponse> {
  const walk: Walk = { context, prompt, order, cart, share };
  for (const [index, item] of order.items.entries()) {
    if (!cart.picks.has(item._id)) await askItem(walk, item, index);
  }
  for (;;) {
    context.note(`\n${cartText(walk)}`);
    const choice = await prompt.ask('Send [Enter], add a product [a], change an item [number], quit [q]: ');
    if (choice === 'q') throw new StoppedError();
    const item = order.items[Number(choice) - 1];
    if (choice === 'a') {
      const product = await chooseAddition(context, prompt, order);
      if (product) {
        walk.cart.additions.push(product);
        await share(markOfAddition(product));
      }
    } else if (item) {
      await askItem(walk, item, Number(choice) - 1);
    } else if (choice === '') {
      const sent = await trySend(walk, send);
      if (sent) return sent;
    } else {
      context.note(`There is no item ${choice}.`);
    }
  }
}

async function trySend({ context, cart }: Walk, send: Send) {
  try {
    return await send(cart);
  } catch (error) {
    // A cart that is not valid can be changed. Everything else ends the walk.
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    context.note(formatError(explainError(error), context.paint, 80));
    return undefined;
  }
}

async function askItem(walk: Walk, item: OrderItem, index: number): Promise<void> {
  const { context, prompt, order, cart } = walk;
  const { paint } = context;
  const ordered = amountText(orderedAmount(item), isByWeight(item));
  context.note(`\n${paint('bold', `${index + 1}/${order.items.length}  ${ordered} ${plain(item.name)}`)}`);
  const details = [item.sku, ...item.barcode.slice(0, 2), item.replacement?.preference, item.instructions];
  context.note(
    paint(
      'dim',
      `     ${details
        .filter(Boolean)
        .map((one) => plain(one ?? ''))
        .join('  ·  ')}`,
    ),
  );
  const first = isByWeight(item) ? 'Found [Enter], weight in kg' : 'Found [Enter], number of units';
  for (;;) {
    const choice = await prompt.ask(`     ${first}, not found [n], replace [r], quit [q]: `);
    if (choice === 'q') throw new StoppedError();
    const pick = await readPick(walk, item, choice);
    if (pick) {
      cart.picks.set(item._id, pick);
      return walk.share(markOf(item, pick));
    }
  }
}

/** Undefined if the picker has to be asked again. */
async function readPick(
  { context, prompt, order }: Walk,
  item: OrderItem,
  choice: string,
): Promise<ItemPick | undefined> {
  if (choice === 'n') return { kind: 'not found' };
  if (choice === 'r') {
    const by = await chooseReplacement(context, prompt, order, item);
    return by && { kind: 'replaced', by };
  }
  if (choice === '' && isByWeight(item)) {
    const amount = await askAmount(context, prompt, true, orderedAmount(item));
    return { kind: 'found', amount };
  }
  if (choice === '' || choice === 'f') return { kind: 'found', amount: orderedAmount(item) };
  const amount = Number(choice.replace(',', '.'));
  if (amount > 0 && (isByWeight(item) || Number.isInteger(amount))) return { kind: 'found', amount };
  context.note(`     ${choice} is not one of the choices.`);
  return undefined;
}

function cartText({ context, order, cart }: Walk): string {
  const rows = order.items.map((item, index) => [String(index + 1), ...pickCells(item, cart.picks.get(item._id))]);
  const added = cart.additions.map((product) => [
    '+',
    'added',
    amountText(product.amount, product.isSoldByWeight),
    product.title,
  ]);
  return context.table(
    [{ title: '' }, { title: 'RESULT' }, { title: 'AMOUNT', align: 'right' }, { title: 'ITEM', flexible: true }],
    [...rows, ...added],
  );
}

function pickCells(item: OrderItem, pick: ItemPick | undefined): string[] {
  if (pick?.kind === 'found') return ['found', amountText(pick.amount, isByWeight(item)), item.name];
  if (pick?.kind !== 'replaced') return ['not found', '', item.name];
  const { amount, isSoldByWeight, title } = pick.by;
  return ['replaced', amountText(amount, isSoldByWeight), `${title} instead of ${item.name}`];
}
