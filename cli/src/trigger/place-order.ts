import type { NewOrderItem, Order, Product, SandboxOrder } from '@aisle/sdk';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { type Setting, setValues } from './set-values.ts';

/** Places an order at a test store as a customer would, with products that the store has. */
export async function placeOrder(
  context: Context,
  store: string,
  settings: readonly Setting[],
  defaults: Partial<SandboxOrder> = {},
): Promise<Order> {
  // Items that the user chooses replace ours.
  const hasItems = settings.some(({ path }) => /^items(\.\d+\.sku)?$/.test(path.join('.')));
  const body: SandboxOrder = {
    vendor_id: store,
    ...defaults,
    customer: {
      first_name: 'Sam',
      phone_number: '+971500000000',
      delivery_address: { city: 'Dubai', street: 'Marina Walk', number: '12' },
    },
    items: hasItems ? [] : await chooseItems(context, store),
    payment: { type: 'PAID' },
    comment: 'Placed with aisle trigger.',
  };
  const changed = setValues(body, settings);
  const items = hasItems
    ? await Promise.all(changed.items.map((item) => withAmount(context, store, item)))
    : changed.items;
  return context.client().sandboxPlaceOrder({ body: { ...changed, items } });
}

/** One unit or one kilogram of an item for which the user chose no amount. */
async function withAmount(context: Context, vendor_id: string, item: NewOrderItem): Promise<NewOrderItem> {
  if (typeof item?.sku !== 'string' || item.quantity !== undefined || item.weight !== undefined) return item;
  const query = { query_term: item.sku, sort: 'relevance' as const, page_size: 20 };
  const { products } = await context.client().listCatalog({ params: { vendor_id }, query });
  const product = products.find(({ sku }) => sku === item.sku);
  return product?.is_sold_by_weight ? { ...item, weight: weightOf(product) } : { ...item, quantity: 1 };
}

/** The first product that is sold by unit, and the first one that is sold by weight if there is one. */
async function chooseItems(context: Context, vendor_id: string): Promise<NewOrderItem[]> {
  const query = { is_active: true, page_size: 100 };
  const { products } = await context.client().listCatalog({ params: { vendor_id }, query });
  const sellable = products.filter(({ available, quantity, maximum_sales_quantity: max }) => {
    return available && (quantity === null || quantity >= 10) && (max === null || max >= 2);
  });
  const byUnit = sellable.find(({ is_sold_by_weight }) => !is_sold_by_weight);
  const byWeight = sellable.find(({ is_sold_by_weight }) => is_sold_by_weight);
  const items = [
    ...(byUnit ? [{ sku: byUnit.sku, quantity: 2 }] : []),
    ...(byWeight ? [{ sku: byWeight.sku, weight: weightOf(byWeight) }] : []),
  ];
  if (items.length > 0) return items;
  throw new CliError(`The store ${vendor_id} has no product that can be ordered.`, {
    hint: 'Choose a product with --set items.0.sku=SKU, or another store with --store.',
  });
}

function weightOf({ weight_specifications: weights }: Product): number {
  return Math.max(1, weights?.minimum_starting_weight ?? 0);
}
