import { exampleOrder } from './order.ts';

const [item] = exampleOrder.items;
const id = String(item?._id);
const sku = String(item?.sku);
const picked = { sku, status: 'IN_CART', pricing: { pricing_type: 'UNIT', quantity: 2 } };

/** What a picking device sends, one example per scenario. */
export const putOrderExamples = {
  fulfil: {
    summary: 'Fulfil an order with all items found, delivered by the platform',
    value: { status: 'READY_FOR_PICKUP', items: [picked] },
  },
  dispatch: {
    summary: 'Fulfil an order that the store delivers',
    value: { status: 'DISPATCHED', items: [picked] },
  },
  fewer: {
    summary: 'Fulfil with fewer units than ordered',
    value: {
      status: 'READY_FOR_PICKUP',
      items: [{ sku, status: 'IN_CART', pricing: { pricing_type: 'UNIT', quantity: 1 } }],
    },
  },
  not_found: {
    summary: 'One item was not found',
    value: {
      status: 'READY_FOR_PICKUP',
      items: [picked, { sku: 'BREAD-01', status: 'NOT_FOUND', pricing: { pricing_type: 'UNIT', quantity: 1 } }],
    },
  },
  weighed: {
    summary: 'An item sold by weight, priced by the picked weight',
    value: {
      status: 'READY_FOR_PICKUP',
      items: [{ sku: 'BANANA-KG', status: 'IN_CART', pricing: { pricing_type: 'KG', weight: 1.12 } }],
    },
  },
  price_change: {
    summary: 'The price on the shelf is different',
    value: {
      status: 'READY_FOR_PICKUP',
      items: [{ sku, status: 'IN_CART', pricing: { pricing_type: 'UNIT', quantity: 2, unit_price: 5.25 } }],
    },
  },
  replacement: {
    summary: 'An item is replaced with another product',
    value: {
      status: 'READY_FOR_PICKUP',
      items: [
        { _id: id, sku, status: 'REPLACED', pricing: { pricing_type: 'UNIT' } },
        { sku: 'MILK-ORG-1L', replaced_id: id, status: 'IN_CART', pricing: { pricing_type: 'UNIT', quantity: 2 } },
      ],
    },
  },
  addition: {
    summary: "An item is added at the customer's request",
    value: {
      status: 'READY_FOR_PICKUP',
      items: [picked, { sku: 'BAG-01', status: 'ADDITION', pricing: { pricing_type: 'UNIT', quantity: 1 } }],
    },
  },
  validate: {
    summary: 'Check a cart without storing it',
    value: { status: 'UPDATE_CART', items: [picked] },
  },
  cancel: {
    summary: 'Cancel the order',
    value: {
      status: 'CANCELLED',
      cancellation: { reason: 'ITEM_UNAVAILABLE' },
      items: [{ _id: id, sku, status: 'NOT_FOUND', pricing: { pricing_type: 'UNIT' } }],
    },
  },
} as const;
