import Type, { type Static } from 'typebox';
import { CountryCode, Currency, Id, Money, Nullable, OneOf, Timestamp } from './common.ts';
import { TransportType } from './identity.ts';

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
  description: 'Where the order is in its life; see the order states.',
});
export const itemStatuses = ['NOT_PROCESSED', 'IN_CART', 'NOT_FOUND', 'REPLACED', 'ADDITION'] as const;
export type ItemStatus = (typeof itemStatuses)[number];
export const ItemStatus = OneOf(itemStatuses, {
  description: 'What the store did with the item; NOT_PROCESSED until the order is fulfilled.',
});
export const orderTypes = ['DELIVERY', 'PICKUP'] as const;
export const pricingTypes = ['UNIT', 'KG'] as const;
export const partnerReasons = ['CLOSED', 'ITEM_UNAVAILABLE', 'TOO_BUSY'] as const;
/** The `status` values of a PUT by a partner, followed by the reports of the platform. */
export const putStatuses = ['READY_FOR_PICKUP', 'DISPATCHED', 'CANCELLED', 'UPDATE_CART'] as const;
export const orderReports = ['cancel', 'pickup', 'deliver', 'collect'] as const;
export const orderActions = [...putStatuses, ...orderReports] as const;
export type OrderAction = (typeof orderActions)[number];
export const orderParties = ['partner', 'platform'] as const;
export type OrderParty = (typeof orderParties)[number];
export const cancellingParties = ['CUSTOMER', 'LOGISTICS'] as const;

const Pricing = Type.Object(
  {
    pricing_type: OneOf(pricingTypes),
    quantity: Type.Integer({ description: 'UNIT: the number of units. KG: always 1.' }),
    unit_price: Type.Number({
      description:
        'The price per unit, or per kilogram for KG, before promotions, rounded to the minor unit of the currency.',
    }),
    total_price: Type.Number({ description: 'The price of the line item before promotions.' }),
    min_quantity: Type.Number({ description: 'The minimum quantity that can be picked; a weight for KG.' }),
    max_quantity: Type.Number({ description: 'The maximum quantity that can be picked; a weight for KG.' }),
    weight: Type.Optional(Type.Number({ description: 'KG only: the weight in kilograms, with three decimal places.' })),
    vat_percent: Type.Optional(Type.Number()),
  },
  { description: 'The current price of the line item.' },
);

export const OrderItem = Type.Object({
  _id: Type.String(),
  sku: Type.String(),
  name: Type.String(),
  barcode: Type.Array(Type.String()),
  instructions: Nullable(Type.String()),
  image_url: Type.Optional(Type.String()),
  status: ItemStatus,
  pricing: Pricing,
  original_pricing: Type.Object(Pricing.properties, { description: 'The price of the line item as ordered.' }),
  promotion: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        discount_amount: Type.Number(),
        sponsorships: Type.Array(Type.Object({ sponsor: Type.String(), amount: Type.Number() })),
      }),
    ),
  ),
  discount: Type.Number({ description: 'The sum of `discount_amount` over `promotion`.' }),
  replaced_id: Type.Optional(Type.String({ description: 'For a replacement, the `_id` of the item it replaces.' })),
  replacement: Type.Optional(
    Type.Object(
      {
        preference: Type.String(),
        suggestions: Type.Array(Type.Object({ sku: Type.String(), name: Type.String() })),
      },
      { description: 'What the customer chose at checkout in case the item is unavailable.' },
    ),
  ),
});

const short = Type.Optional(Type.String({ maxLength: 200 }));
export const DeliveryAddress = Type.Object({
  country: short,
  city: short,
  street: short,
  number: short,
  zipcode: short,
  suburb: short,
  building: short,
  floor: short,
  apartment: short,
  entrance: short,
  instructions: Type.Optional(Type.String({ maxLength: 1000 })),
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  formattedAddress: Type.Optional(Type.String({ maxLength: 1000 })),
});

/** The order at one revision, as it is sent in events. */
export const OrderSnapshot = Type.Object({
  order_id: Id,
  order_code: Type.String({ description: 'A short, human-readable code.' }),
  external_order_id: Nullable(Type.String()),
  status: OrderStatus,
  order_type: OneOf(orderTypes),
  transport_type: TransportType,
  isPreorder: Type.Boolean(),
  is_test: Type.Boolean(),
  accepted_for: Nullable(Timestamp),
  promised_for: Nullable(Timestamp),
  comment: Nullable(Type.String()),
  promotion_status: OneOf(['AVAILABLE', 'UNAVAILABLE']),
  client: Type.Object(
    {
      id: Type.String(),
      chain_id: Id,
      name: Type.String(),
      country_code: CountryCode,
      store_id: Type.String({ description: "The vendor's platform id." }),
      external_partner_config_id: Type.Optional(Type.String({ description: "The vendor's external id." })),
    },
    { description: 'The store.' },
  ),
  customer: Nullable(
    Type.Object({
      _id: Type.String(),
      first_name: Type.String(),
      last_name: Type.Optional(Type.String()),
      phone_number: Type.String(),
      delivery_address: Type.Optional(DeliveryAddress),
    }),
  ),
  items: Type.Array(OrderItem),
  payment: Type.Object({
    type: Type.String(),
    currency: Currency,
    sub_total: Type.Number({
      description: 'The sum of all items before promotions, except those that are NOT_FOUND or REPLACED.',
    }),
    discount: Type.Number(),
    discounts: Type.Array(Type.Object({ name: Type.String(), amount: Type.Number() })),
    delivery_fee: Money,
    service_fee: Money,
    total_taxes: Type.Number({ description: 'For information only; prices include tax.' }),
    order_total: Type.Number({ description: '`sub_total` − `discount` + `delivery_fee` + `service_fee`.' }),
  }),
  cancellation: Type.Optional(
    Type.Object({
      reason: Type.String(),
      cancelled_by: Type.String(),
      post_picked_up: Type.Optional(
        Type.Boolean({ description: 'Present if a rider had already picked up the order.' }),
      ),
    }),
  ),
  revision: Type.Integer({ description: 'Starts at 1 and increases by 1 with every change. Also sent as the ETag.' }),
  sys: Type.Object({
    created_at: Timestamp,
    created_by: Type.String(),
    updated_at: Timestamp,
    updated_by: Type.String(),
  }),
});
export type OrderSnapshot = Static<typeof OrderSnapshot>;

export const Order = Type.Object({
  ...OrderSnapshot.properties,
  allowed_actions: Type.Array(Type.Object({ action: OneOf(orderActions), by: OneOf(orderParties) }), {
    description:
      'The actions that are currently allowed. `partner`: the `status` values that you can send with PUT. `platform`: what the customer, the rider or the platform can report next; at a test store, you can report the same with the sandbox. Repeating an accepted fulfilment or cancellation has no effect and is not listed. Not included in events.',
  }),
});
export type Order = Static<typeof Order>;

/** An order as events carry it. */
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
