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
  const hasItems = settings.some(({ path }) => path.length === 1 && path[0] === 'items');
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
  return context.client().sandboxPlaceOrder({ body: setValues(body, settings) });
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
