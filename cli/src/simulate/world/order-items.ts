/** The parts of an item that are compared. Requests have the amounts that are sent, and orders also the original ones. */
export type PickedItem = {
  _id?: string;
  sku?: string | undefined;
  status: string;
  replaced_id?: string;
  pricing: Pricing & { pricing_type: string };
};
type Pricing = { quantity?: number; weight?: number };

/** Describes each item that the customer has ordered, from an order. */
export function orderedItems(items: readonly (PickedItem & { original_pricing: Pricing })[]): string[] {
  return items.filter(isOriginal).map(({ sku, original_pricing }) => orderedItem({ sku, ...original_pricing }));
}

/** Describes an item of a new order. */
export function orderedItem({ sku, quantity, weight }: Pricing & { sku?: string | undefined }): string {
  return `${sku} ${weight ?? quantity}`;
}

/** Describes what has become of each item, from an order or from the request of the picker. */
export function pickedItems(items: readonly PickedItem[]): string[] {
  return items.map((item) => {
    const { _id, sku, status, replaced_id: replaced, pricing } = item;
    if (status === 'NOT_FOUND' || status === 'REPLACED') return `${_id} ${status}`;
    const amount = pricing.weight ?? pricing.quantity;
    return isOriginal(item) ? `${_id} ${status} ${amount}` : `${sku} ${status} ${amount} ${replaced ?? ''}`.trimEnd();
  });
}

function isOriginal({ status, replaced_id: replaced }: PickedItem): boolean {
  return status !== 'ADDITION' && replaced === undefined;
}
