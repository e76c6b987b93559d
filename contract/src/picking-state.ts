import Type, { type Static } from 'typebox';
import { Closed, described, Id, Nullable, OneOf, Timestamp, TimestampInput } from './common.ts';
import { embeddedPrefixes, maxEmbeddedDigits } from './embedded-barcode.ts';
import { exampleOrder, OrderStatus } from './order.ts';
import { exampleProduct, Product } from './product.ts';
import { maxInteger, maxMoney, skuLength } from './sizes.ts';

export const markStates = ['PENDING', 'IN_CART', 'NOT_FOUND', 'REPLACED', 'ADDED', 'REMOVED'] as const;
export type MarkState = (typeof markStates)[number];
export const MarkState = OneOf(markStates, {
  description:
    'PENDING: not picked yet; `quantity` can be what is already in the cart. IN_CART: picked. NOT_FOUND: not available. REPLACED: another product was picked instead, see `replacement`. ADDED: a product that was not ordered, see `sku`. REMOVED: a product that was added before is not wanted any more.',
});
export const claimModes = ['CLAIM', 'SHARE', 'TAKE_OVER'] as const;
export const candidateReasons = ['SUGGESTED', 'SAME_CATEGORY', 'SIMILAR'] as const;
/** The maximum number of marks in one request. */
export const maxMarks = 500;

const Quantity = Type.Integer({ minimum: 0, maximum: maxInteger });
const Weight = Type.Number({ minimum: 0, maximum: maxMoney });
const Sku = Type.String({ minLength: 1, maxLength: skuLength });
const quantityText = 'The number of units in the cart. The limits of the item are checked when the order is fulfilled.';
const weightText = 'The weight in the cart in KG, with up to three decimal places, for a product sold by weight.';

const picker = {
  actor: Type.String({
    description: 'Who it is: `user:` or `token:` or `client:`, followed by the id.',
  }),
  name: Type.String({ description: 'The name of the user, the token or the client.' }),
  is_me: Type.Boolean({ description: 'Whether it is the caller.' }),
};
export const Picker = Type.Object(picker);
export const ClaimingPicker = Type.Object({
  ...picker,
  claimed_at: described(Timestamp, 'When the picker claimed or joined the order.'),
  expires_at: described(Timestamp, 'When the claim expires unless the picker renews it or marks an item.'),
});

export const PickedLine = Type.Object({
  line_id: Type.String({ description: 'The `_id` of the item, or the id that the device gave to an added product.' }),
  state: MarkState,
  quantity: Nullable(Type.Integer({ description: 'The number of units in the cart. Null if none was sent.' })),
  weight: Nullable(Type.Number({ description: 'The weight in the cart in KG. Null if none was sent.' })),
  sku: Nullable(Type.String({ description: 'The SKU of an added product. Null for the items of the order.' })),
  replacement: Nullable(
    Type.Object(
      {
        sku: Type.String({ description: 'The SKU of the replacement.' }),
        quantity: Nullable(Type.Integer({ description: 'The number of units. Null if none was sent.' })),
        weight: Nullable(Type.Number({ description: 'The weight in KG. Null if none was sent.' })),
      },
      { description: 'The product that was picked instead. Null unless `state` is REPLACED.' },
    ),
  ),
  scanned_codes: Type.Array(Type.String(), { description: 'The barcodes that were scanned for this line.' }),
  mark_id: described(Id, 'The id of the mark that set this state.'),
  marked_at: described(Timestamp, 'When the picker marked the line, according to the device.'),
  received_at: described(Timestamp, 'When the mark arrived.'),
  marked_by: described(Picker, 'Who marked the line last.'),
});
export type PickedLine = Static<typeof PickedLine>;

export const PickingState = Type.Object({
  order_id: described(Id, 'The id of the order.'),
  vendor_id: Type.String({ description: 'The platform id of the store.' }),
  status: OrderStatus,
  revision: Type.Integer({ description: 'The current revision of the order; send it with marks.' }),
  changed_by: Type.String({
    description:
      'Who made the last change to the order: the name of a user, a token or a client of the chain, or customer, logistics, rider or platform.',
  }),
  is_open: Type.Boolean({
    description: 'Whether the order can still be picked. If not, the lines stay readable, but cannot be changed.',
  }),
  weighted_replacement: Type.Boolean({
    description: 'Whether an item sold by weight can be replaced with another product sold by weight at this store.',
  }),
  version: Type.String({
    description:
      'Changes with every change to the picking state, to the pickers and to the order. Compare it only for equality.',
  }),
  pickers: Type.Array(ClaimingPicker, {
    description: 'Who is picking the order now, in the order of their claims. Empty if the order is not open.',
  }),
  lines: Type.Array(PickedLine, {
    description: 'The lines that have been marked, in the order of their first marks.',
  }),
});
export type PickingState = Static<typeof PickingState>;

export const ClaimInput = Type.Object({
  mode: Type.Optional(
    OneOf(claimModes, {
      default: 'CLAIM',
      description:
        'CLAIM: fails with 409 `order_claimed` if another picker has claimed the order. SHARE: joins the pickers of the order. TAKE_OVER: removes the other pickers; what they marked stays.',
    }),
  ),
});

export const MarkInput = Type.Object({
  mark_id: described(Id, 'An id that the device generates for each mark. A mark that was already stored is ignored.'),
  line_id: Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'The `_id` of an item of the order. For ADDED and REMOVED: a UUID that the device generates for the added product.',
  }),
  state: MarkState,
  quantity: Type.Optional(Nullable(described(Quantity, quantityText))),
  weight: Type.Optional(Nullable(described(Weight, weightText))),
  replacement: Type.Optional(
    Nullable(
      Type.Object(
        {
          sku: described(Sku, 'The SKU of the replacement; not the SKU of the item itself.'),
          quantity: Type.Optional(Nullable(described(Quantity, quantityText))),
          weight: Type.Optional(Nullable(described(Weight, weightText))),
        },
        { description: 'Required for REPLACED; not allowed otherwise.' },
      ),
    ),
  ),
  sku: Type.Optional(
    Nullable(described(Sku, "Required for ADDED: a SKU in the store's catalog. Not allowed otherwise.")),
  ),
  scanned_codes: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
      maxItems: 200,
      description:
        'All barcodes that were scanned for this line so far. The codes of all lines of an order can have 100,000 characters together. Default: none.',
    }),
  ),
  marked_at: described(TimestampInput, 'When the picker marked the line. UTC is assumed if there is no offset.'),
});
export type MarkInput = Static<typeof MarkInput>;

export const MarksInput = Type.Object({
  order_revision: Type.Integer({
    minimum: 1,
    maximum: maxInteger,
    description: 'The revision of the order that the picker sees.',
  }),
  marks: Type.Array(MarkInput, {
    minItems: 1,
    maxItems: maxMarks,
    description: 'The marks, oldest first. The last mark of a line applies.',
  }),
});

export const QueuedOrder = Type.Object({
  order_id: described(Id, 'The id of the order.'),
  order_code: Type.String({ description: 'A short, human-readable code.' }),
  vendor_id: Type.String({ description: 'The platform id of the store.' }),
  vendor_name: Type.String({ description: 'The name of the store.' }),
  status: OrderStatus,
  revision: Type.Integer({ description: 'The revision of the order.' }),
  created_at: described(Timestamp, 'When the order was placed.'),
  promised_for: Nullable(described(Timestamp, 'The time promised to the customer. Null means as soon as possible.')),
  item_count: Type.Integer({ description: 'The number of line items.' }),
  customer_note: Nullable(Type.String({ description: "The customer's comment on the order. Null if there is none." })),
  is_test: Type.Boolean({ description: 'Whether this is a test order.' }),
  progress: Type.Object(
    {
      picked: Type.Integer({ description: 'The number of line items that are IN_CART, NOT_FOUND or REPLACED.' }),
      total: Type.Integer({ description: 'The number of line items. Added products are not counted.' }),
    },
    { description: 'How far the order has been picked.' },
  ),
  pickers: Type.Array(Picker, { description: 'Who is picking the order now; usually empty or one.' }),
});

export const EmbeddedBarcodeSetting = Type.Object({
  prefix: OneOf(embeddedPrefixes, { description: 'The first two digits of the EAN-13.' }),
  kind: OneOf(['WEIGHT', 'PRICE'], {
    description: 'WEIGHT: the value is the weight in KG. PRICE: the value is the price of the pack.',
  }),
  code_digits: Type.Integer({
    minimum: 3,
    maximum: 8,
    description: 'The number of digits of the item code, which follows the prefix.',
  }),
  value_digits: Type.Integer({
    minimum: 2,
    maximum: 7,
    description: `The number of digits of the value, which ends before the check digit. At most ${maxEmbeddedDigits} together with \`code_digits\`; digits between the two are ignored.`,
  }),
  decimals: Type.Integer({
    minimum: 0,
    maximum: 3,
    description: 'The number of decimal places of the value; 3 for a weight in grams.',
  }),
});
export const PickingSettings = Type.Object({
  embedded_barcodes: Type.Array(EmbeddedBarcodeSetting, {
    maxItems: embeddedPrefixes.length,
    description:
      'How to read the barcodes that scales print, at most one entry for each prefix. Default: empty, so that codes with these prefixes are ordinary barcodes.',
  }),
});
export const PickingSettingsInput = Closed(PickingSettings);

export const ReplacementCandidate = Type.Object({
  ...Product.properties,
  reason: OneOf(candidateReasons, {
    description:
      'SUGGESTED: the customer would accept it. SAME_CATEGORY: it is in a category of the item. SIMILAR: it has a similar title.',
  }),
});

export const FoundProducts = Type.Object({
  products: Type.Array(Product, { description: "The products in the store's catalog, at most 20." }),
  embedded: Nullable(
    Type.Object(
      {
        kind: OneOf(['WEIGHT', 'PRICE'], { description: 'What the code contains.' }),
        prefix: Type.String({ description: 'The first two digits of the code.' }),
        item_code: Type.String({ description: 'The item code, by which the products were found.' }),
        value: Type.Number({ description: 'The weight in KG, or the price of the pack.' }),
      },
      { description: 'What the scanned code contains. Null if it is an ordinary barcode or SKU, or for `query`.' },
    ),
  ),
});

const exampleMe = {
  actor: 'user:0d9f8f9e-3f50-4d5c-a3c2-6c6f0a9f5b21',
  name: 'Sara',
  is_me: true,
};
const exampleItem = String(exampleOrder.items[0]?._id);

export const exampleMarks = {
  order_revision: 1,
  marks: [
    {
      mark_id: '4c1b1f0e-51a5-4b7c-8f0f-6f1f8a7d2b60',
      line_id: exampleItem,
      state: 'IN_CART',
      quantity: 2,
      scanned_codes: ['6291000000017', '6291000000017'],
      marked_at: '2026-05-04T09:33:12.000Z',
    },
  ],
};

export const examplePickingState: PickingState = {
  order_id: exampleOrder.order_id,
  vendor_id: 's8ym',
  status: 'RECEIVED',
  revision: 1,
  changed_by: 'platform',
  is_open: true,
  weighted_replacement: false,
  version: '1-3-1',
  pickers: [{ ...exampleMe, claimed_at: '2026-05-04T09:31:00.000Z', expires_at: '2026-05-04T09:43:12.500Z' }],
  lines: [
    {
      line_id: exampleItem,
      state: 'IN_CART',
      quantity: 2,
      weight: null,
      sku: null,
      replacement: null,
      scanned_codes: ['6291000000017', '6291000000017'],
      mark_id: '4c1b1f0e-51a5-4b7c-8f0f-6f1f8a7d2b60',
      marked_at: '2026-05-04T09:33:12.000Z',
      received_at: '2026-05-04T09:33:12.500Z',
      marked_by: exampleMe,
    },
  ],
};

export const exampleQueue = {
  orders: [
    {
      order_id: exampleOrder.order_id,
      order_code: 'K7QD-2M',
      vendor_id: 's8ym',
      vendor_name: 'Marina Walk',
      status: 'RECEIVED',
      revision: 1,
      created_at: '2026-05-04T09:30:00.000Z',
      promised_for: null,
      item_count: 1,
      customer_note: 'Please ring twice.',
      is_test: false,
      progress: { picked: 1, total: 1 },
      pickers: [exampleMe],
    },
  ],
  has_more: false,
  server_time: '2026-05-04T09:33:15.000Z',
};

export const examplePickingSettings = {
  embedded_barcodes: [{ prefix: '21', kind: 'WEIGHT', code_digits: 5, value_digits: 5, decimals: 3 }],
};

export const exampleCandidate = { ...exampleProduct, sku: 'MLK-00013', reason: 'SUGGESTED' };
