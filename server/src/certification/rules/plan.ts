import type { scenarioNames } from '@aisle/contract/certification';
import { certificationComment } from '@aisle/contract/certification-codes';
import type { Order } from '@aisle/contract/order';

export type ScenarioName = (typeof scenarioNames)[number];

/** What the device is to do with one ordered item. */
export type ItemPlan = { sku: string; ordered: number } & (
  | { do: 'PICK'; quantity: number }
  | { do: 'WEIGH'; weight: string }
  | { do: 'NOT_FOUND' }
  | { do: 'REPLACE'; quantity: number; by: string }
);

/** What the device is to do with the whole order. Null means to fulfil it. */
export type OrderPlan =
  | { do: 'ADD'; quantity: number; sku: string }
  | { do: 'WAIT' }
  | { do: 'CANCEL'; reason: string };

export type Plan = { items: ItemPlan[]; order: OrderPlan | null };

/** The products that the test orders contain. */
export type Products = { units: [string, string, string]; weighed: string | undefined; weightTolerance: number };

/**
 * The comment of the test order. Its first line names the scenario. The second line, if there is one, is the instruction
 * for the whole order. The SKU comes last, because it can contain spaces.
 */
export function commentOf(name: ScenarioName, { order }: Plan): string {
  return [`${certificationComment}${name}`, ...(order ? [orderInstruction(order)] : [])].join('\n');
}

/** The items of the test order, each with its instruction. */
export function newItems({ items }: Plan) {
  return items.map((item) => ({
    sku: item.sku,
    ...(item.do === 'WEIGH' ? { weight: item.ordered } : { quantity: item.ordered }),
    instructions: itemInstruction(item),
  }));
}

/** The line items that the order is to have in the end, as text that can be compared with `describeItems`. */
export function expectedItems({ items, order }: Plan): string {
  const lines = items.flatMap((item) => {
    switch (item.do) {
      case 'PICK':
        return [`${item.sku}: IN_CART, ${units(item.quantity)}`];
      case 'WEIGH':
        return [`${item.sku}: IN_CART, ${item.weight} kg`];
      case 'NOT_FOUND':
        return [`${item.sku}: NOT_FOUND`];
      default:
        return [`${item.sku}: REPLACED`, `${item.by}: IN_CART, ${units(item.quantity)}, replaces ${item.sku}`];
    }
  });
  const added = order?.do === 'ADD' ? [`${order.sku}: ADDITION, ${units(order.quantity)}`] : [];
  return joined([...lines, ...added]);
}

export function describeItems(items: Order['items']): string {
  const skuOf = new Map(items.map((item) => [item._id, item.sku]));
  return joined(
    items.map(({ sku, status, pricing, replaced_id }) => {
      const isPicked = status === 'IN_CART' || status === 'ADDITION';
      const amount = pricing.pricing_type === 'KG' ? `${(pricing.weight ?? 0).toFixed(3)} kg` : units(pricing.quantity);
      const replaced = replaced_id === undefined ? [] : [`replaces ${skuOf.get(replaced_id) ?? replaced_id}`];
      return `${sku}: ${[status, ...(isPicked ? [amount] : []), ...replaced].join(', ')}`;
    }),
  );
}

function orderInstruction(order: OrderPlan): string {
  switch (order.do) {
    case 'ADD':
      return `ADD ${order.quantity} ${order.sku}`;
    case 'CANCEL':
      return `CANCEL ${order.reason}`;
    default:
      return 'WAIT';
  }
}

function itemInstruction(item: ItemPlan): string {
  switch (item.do) {
    case 'PICK':
      return `PICK ${item.quantity}`;
    case 'WEIGH':
      return `WEIGH ${item.weight}`;
    case 'NOT_FOUND':
      return 'NOT_FOUND';
    default:
      return `REPLACE ${item.quantity} ${item.by}`;
  }
}

function units(quantity: number): string {
  return quantity === 1 ? '1 unit' : `${quantity} units`;
}

function joined(lines: string[]): string {
  return lines.toSorted().join('\n');
}
