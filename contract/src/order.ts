import Type, { type Static } from 'typebox';
import { DeliveryAddress } from './address.ts';
import { Approval, ApprovalTerms } from './approval.ts';
import { CountryCode, Currency, described, Id, Money, Nullable, OneOf, Timestamp } from './common.ts';
import { TransportType } from './identity.ts';
import { Pricing } from './pricing.ts';
import { maxOrderName } from './sizes.ts';

export const orderStatuses = [
  'RECEIVED',
  'READY_FOR_PICKUP',
  'DISPATCHED',
  'DELIVERED',
  'PICKED_UP',
  'CANCELLED',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];
export const OrderStatus = OneOf(orderStatuses, {
  description: 'The status of the order; see the order states.',
});
export const orderOutcomes = ['FULFILLED', 'MISSING_ITEMS', 'REPLACED_ITEMS', 'TIMED', 'LATE'] as const;
export type OrderOutcome = (typeof orderOutcomes)[number];
export const itemStatuses = ['NOT_PROCESSED', 'IN_CART', 'NOT_FOUND', 'REPLACED', 'ADDITION'] as const;
export type ItemStatus = (typeof itemStatuses)[number];
export const ItemStatus = OneOf(itemStatuses, {
  description: 'What the store did with the item; NOT_PROCESSED until the order is fulfilled.',
});
export const orderTypes = ['DELIVERY', 'PICKUP'] as const;
export { pricingTypes } from './pricing.ts';
export const partnerReasons = ['CLOSED', 'ITEM_UNAVAILABLE', 'TOO_BUSY'] as const;
/** The `status` values that a partner can send with PUT. */
export const putStatuses = ['READY_FOR_PICKUP', 'DISPATCHED', 'CANCELLED', 'UPDATE_CART'] as const;
export const orderReports = ['cancel', 'pickup', 'deliver', 'collect'] as const;
export const orderActions = [...putStatuses, ...orderReports] as const;
export type OrderAction = (typeof orderActions)[number];
export const orderParties = ['partner', 'platform'] as const;
export type OrderParty = (typeof orderParties)[number];
export const cancellingParties = ['CUSTOMER', 'LOGISTICS'] as const;

export const OrderItem = Type.Object({
  _id: Type.String({ description: 'The id of the item within the order; use it to refer to the item in a PUT.' }),
  sku: Type.String({ description: 'The SKU of the product.' }),
  name: Type.String({
    description: `The title of the product in the store's language, at the time of the order, cut after ${maxOrderName} characters.`,
  }),
  barcode: Type.Array(Type.String(), { description: 'The barcodes of the product; empty if it has none.' }),
  instructions: Nullable(Type.String({ description: "The customer's note for the picker. Null if there is none." })),
  image_url: Type.Optional(
    Type.String({ description: 'The URL of a picture of the product. Absent if there is none.' }),
  ),
  status: ItemStatus,
  pricing: Pricing,
  original_pricing: Type.Object(Pricing.properties, { description: 'The price of the line item as ordered.' }),
  promotion: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String({ description: "The promotion's name in the store's language." }),
        discount_amount: Type.Number({ description: 'The discount on the line item, in the currency of the order.' }),
        sponsorships: Type.Array(
          Type.Object({
            sponsor: Type.String({ description: 'Who pays this share of the discount.' }),
            amount: Type.Number({ description: 'The share, in the currency of the order.' }),
          }),
          { description: 'Who pays for the discount.' },
        ),
      }),
      { description: 'The promotions that reduce the price. Absent if there are none.' },
    ),
  ),
  discount: Type.Number({ description: 'The sum of all `discount_amount` values in `promotion`.' }),
  replaced_id: Type.Optional(Type.String({ description: 'For a replacement, the `_id` of the item it replaces.' })),
  replacement: Type.Optional(
    Type.Object(
      {
        preference: Type.String({ description: "The customer's choice, as the storefront sent it." }),
        suggestions: Type.Array(
          Type.Object({
            sku: Type.String({ description: 'The SKU of the suggested product.' }),
            name: Type.String({
              description: `The title of the suggested product, cut after ${maxOrderName} characters.`,
            }),
          }),
          { description: 'Replacements that the customer would accept; may be empty.' },
        ),
      },
      { description: 'What the customer chose at checkout in case the item is unavailable.' },
    ),
  ),
  approval: Type.Optional(Approval),
});

/** The order at one revision, as sent in events. */
export const OrderSnapshot = Type.Object({
  order_id: described(Id, 'The id of the order; the same in every revision.'),
  order_code: Type.String({ description: 'A short, human-readable code.' }),
  external_order_id: Nullable(
    Type.String({ description: 'The id that the storefront gave the order. Null if there is none.' }),
  ),
  status: OrderStatus,
  order_type: OneOf(orderTypes, {
    description: 'DELIVERY: delivered to the customer. PICKUP: collected by the customer at the store.',
  }),
  transport_type: TransportType,
  isPreorder: Type.Boolean({ description: 'Whether the customer ordered for a later time, given in `promised_for`.' }),
  is_test: Type.Boolean({ description: 'Whether this is a test order. Test orders do not change stock.' }),
  accepted_for: Nullable(described(Timestamp, 'The same time as `promised_for`.')),
  promised_for: Nullable(described(Timestamp, 'The time promised to the customer. Null means as soon as possible.')),
  comment: Nullable(Type.String({ description: "The customer's comment on the order. Null if there is none." })),
  replacement_policy: Type.Optional(
    OneOf(['ASK'], {
      description: 'ASK: the customer has to approve replacements. Absent: the store decides.',
    }),
  ),
  replacement_approval: Type.Optional(ApprovalTerms),
  promotion_status: OneOf(['AVAILABLE', 'UNAVAILABLE'], {
    description: 'AVAILABLE if a promotion applies to at least one item.',
  }),
  client: Type.Object(
    {
      id: Type.String({ description: "The vendor's platform id; the same as `store_id`." }),
      chain_id: described(Id, 'The chain that the store belongs to.'),
      name: Type.String({ description: 'The name of the store.' }),
      country_code: CountryCode,
      store_id: Type.String({ description: "The vendor's platform id." }),
      external_partner_config_id: Type.Optional(Type.String({ description: "The vendor's external id." })),
    },
    { description: 'The store.' },
  ),
  customer: Nullable(
    Type.Object(
      {
        _id: Type.String({ description: 'Identifies the customer within this order only.' }),
        first_name: Type.String({ description: 'The first name.' }),
        last_name: Type.Optional(Type.String({ description: 'The last name, if known.' })),
        phone_number: Type.String({ description: 'The phone number, as the customer entered it.' }),
        delivery_address: Type.Optional(DeliveryAddress),
      },
      { description: 'The customer. Null if the storefront sent none.' },
    ),
  ),
  items: Type.Array(OrderItem, {
    description: 'The ordered items, each followed by its replacement if it has one, and then the additions.',
  }),
  payment: Type.Object(
    {
      type: Type.String({ description: 'The payment method, e.g. PAID or CASH.' }),
      currency: Currency,
      sub_total: Type.Number({
        description: 'The total price before promotions of all items except those that are NOT_FOUND or REPLACED.',
      }),
      discount: Type.Number({ description: 'The sum of `discounts`.' }),
      discounts: Type.Array(
        Type.Object({
          name: Type.String({ description: "The promotion's name in the store's language." }),
          amount: Type.Number({ description: 'The total discount on all items, in the currency of the order.' }),
        }),
        { description: 'The discount from each promotion; empty if there are none.' },
      ),
      delivery_fee: Money,
      service_fee: Money,
      total_taxes: Type.Number({ description: 'The total tax, for information only. Prices include tax.' }),
      order_total: Type.Number({ description: '`sub_total` − `discount` + `delivery_fee` + `service_fee`.' }),
    },
    { description: 'What the customer pays.' },
  ),
  cancellation: Type.Optional(
    Type.Object(
      {
        reason: Type.String({ description: 'The reason, e.g. ITEM_UNAVAILABLE.' }),
        cancelled_by: Type.String({ description: 'Who cancelled the order: VENDOR, CUSTOMER or LOGISTICS.' }),
        post_picked_up: Type.Optional(
          Type.Boolean({ description: 'Present if a rider had already picked up the order.' }),
        ),
      },
      { description: 'Details of the cancellation. Present if the order is CANCELLED.' },
    ),
  ),
  revision: Type.Integer({
    description: 'The revision of the order. Starts at 1 and increases by 1 with every change. Also sent as the ETag.',
  }),
  sys: Type.Object(
    {
      created_at: described(Timestamp, 'When the order was placed.'),
      created_by: Type.String({ description: 'Who placed the order.' }),
      updated_at: described(Timestamp, 'When the order last changed; never before `created_at`.'),
      updated_by: Type.String({ description: 'Who made the last change.' }),
    },
    { description: 'When and by whom the order was placed and changed.' },
  ),
});
export type OrderSnapshot = Static<typeof OrderSnapshot>;

export const Order = Type.Object({
  ...OrderSnapshot.properties,
  allowed_actions: Type.Array(
    Type.Object({
      action: OneOf(orderActions, {
        description: 'A `status` to send with PUT, or an action that the platform reports.',
      }),
      by: OneOf(orderParties, { description: 'Who can perform the action.' }),
    }),
    {
      description:
        'The actions that are currently allowed. `partner`: the `status` values that you can send with PUT. `platform`: what the customer, the rider or the platform can report next. At a test store, you can report the same actions with the sandbox. Repeating an accepted fulfilment or cancellation has no effect, so it is not listed. Not included in events.',
    },
  ),
});
export type Order = Static<typeof Order>;

/** An order as sent in events. */
export const exampleSnapshot: OrderSnapshot = {
  order_id: '0191f3a4-6c1e-7b7e-9a3d-52f0c1b6a7d4',
  order_code: 'K7QD-2M',
  external_order_id: null,
  status: 'RECEIVED',
  order_type: 'DELIVERY',
  transport_type: 'LOGISTICS_DELIVERY',
  isPreorder: false,
  is_test: false,
  accepted_for: null,
  promised_for: null,
  comment: 'Please ring twice.',
  promotion_status: 'UNAVAILABLE',
  client: {
    id: 's8ym',
    chain_id: '2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11',
    name: 'Marina Walk',
    country_code: 'AE',
    store_id: 's8ym',
    external_partner_config_id: '1001',
  },
  customer: {
    _id: '0191f3a4-6c1e-7b7e-9a3d-0c8e1fb3d2a9',
    first_name: 'Sam',
    phone_number: '+971500000000',
    delivery_address: { city: 'Dubai', street: 'Marina Walk', number: '12' },
  },
  items: [
    {
      _id: '0191f3a4-6c1e-7b7e-9a3d-6f2f0a4e8b10',
      sku: 'MLK-00012',
      name: 'Fresh milk 1 l',
      barcode: ['6291000000017'],
      instructions: null,
      status: 'NOT_PROCESSED',
      pricing: {
        pricing_type: 'UNIT',
        quantity: 2,
        unit_price: 6.5,
        total_price: 13,
        min_quantity: 1,
        max_quantity: 2,
      },
      original_pricing: {
        pricing_type: 'UNIT',
        quantity: 2,
        unit_price: 6.5,
        total_price: 13,
        min_quantity: 1,
        max_quantity: 2,
      },
      discount: 0,
      replacement: {
        preference: 'Any other fresh milk',
        suggestions: [{ sku: 'MLK-00013', name: 'Low fat milk 1 l' }],
      },
    },
  ],
  payment: {
    type: 'PAID',
    currency: 'AED',
    sub_total: 13,
    discount: 0,
    discounts: [],
    delivery_fee: 5,
    service_fee: 0,
    total_taxes: 0,
    order_total: 18,
  },
  revision: 1,
  sys: {
    created_at: '2026-05-04T09:30:00.000Z',
    created_by: 'platform',
    updated_at: '2026-05-04T09:30:00.000Z',
    updated_by: 'platform',
  },
};

export const exampleOrder: Order = {
  ...exampleSnapshot,
  allowed_actions: [
    { action: 'READY_FOR_PICKUP', by: 'partner' },
    { action: 'UPDATE_CART', by: 'partner' },
    { action: 'CANCELLED', by: 'partner' },
    { action: 'cancel', by: 'platform' },
  ],
};
