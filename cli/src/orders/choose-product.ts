import type { Order, OrderItem, Product } from '@aisle/sdk';
import type { Context } from '../context.ts';
import type { Prompt } from '../terminal/prompt.ts';
import { money, plain } from '../terminal/text.ts';
import { isByWeight, orderedAmount, type PickedProduct } from './picks.ts';

/** Offers what the server suggests; the picker can also search. Undefined if nothing was chosen. */
export async function chooseReplacement(
  context: Context,
  prompt: Prompt,
  { order_id }: Order,
  item: OrderItem,
): Promise<PickedProduct | undefined> {
  const params = { order_id, item_id: item._id };
  const { candidates } = await context.client().listReplacementCandidates({ params });
  const product = await chooseFrom(context, prompt, order_id, candidates);
  if (!product) return undefined;
  const suggested = product.is_sold_by_weight === isByWeight(item) ? orderedAmount(item) : 1;
  return picked(context, prompt, product, suggested);
}

export async function chooseAddition(
  context: Context,
  prompt: Prompt,
  { order_id }: Order,
): Promise<PickedProduct | undefined> {
  const product = await chooseFrom(context, prompt, order_id, []);
  return product && picked(context, prompt, product, 1);
}

/** Asks until the amount is a whole number of units, or a weight. */
export async function askAmount(
  context: Context,
  prompt: Prompt,
  isWeight: boolean,
  suggested: number,
): Promise<number> {
  const question = isWeight ? `     Weight in kg [${suggested.toFixed(3)}]: ` : `     Number of units [${suggested}]: `;
  for (;;) {
    const text = (await prompt.ask(question)).replace(',', '.');
    const amount = text === '' ? suggested : Number(text);
    if (amount > 0 && (isWeight || Number.isInteger(amount))) return amount;
    context.note(`     ${text} is not ${isWeight ? 'a weight such as 0.850' : 'a whole number'}.`);
  }
}

async function chooseFrom(
  context: Context,
  prompt: Prompt,
  order_id: string,
  offered: readonly Product[],
): Promise<Product | undefined> {
  let products = offered;
  for (;;) {
    if (products.length > 0) context.note(productsText(context, products));
    const choice = await prompt.ask('     Number, barcode, SKU or words to search, back [b]: ');
    if (choice === 'b' || choice === '') return undefined;
    const chosen = /^\d{1,2}$/.test(choice) ? products[Number(choice) - 1] : undefined;
    if (chosen) return chosen;
    products = await findProducts(context, order_id, choice);
    const [only] = products;
    if (only && (products.length === 1 || only.sku.toLowerCase() === choice.toLowerCase())) return only;
    if (!only) context.note('     No product was found.');
  }
}

/** By SKU or barcode first, then by words. */
async function findProducts(context: Context, order_id: string, text: string): Promise<Product[]> {
  const client = context.client();
  const byCode = await client.findPickingProducts({ params: { order_id }, query: { code: text } });
  if (byCode.products.length > 0) return byCode.products;
  return (await client.findPickingProducts({ params: { order_id }, query: { query: text } })).products;
}

async function picked(context: Context, prompt: Prompt, product: Product, suggested: number): Promise<PickedProduct> {
  const { sku, title, is_sold_by_weight: isSoldByWeight } = product;
  context.note(`     ${context.paint('bold', plain(title ?? sku))}`);
  return {
    sku,
    title: title ?? sku,
    isSoldByWeight,
    amount: await askAmount(context, prompt, isSoldByWeight, suggested),
  };
}

function productsText(context: Context, products: readonly Product[]): string {
  return context.table(
    [
      { title: '', align: 'right' },
      { title: 'PRODUCT', flexible: true },
      { title: 'SKU' },
      { title: 'PRICE', align: 'right' },
    ],
    products.map(({ sku, title, price, currency, is_sold_by_weight }, index) => [
      String(index + 1),
      title ?? '',
      sku,
      `${money(price, currency)}${is_sold_by_weight ? '/kg' : ''}`,
    ]),
  );
}
