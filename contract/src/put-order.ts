import Type, { type Static } from 'typebox';
import { described, Id, OneOf } from './common.ts';
import { itemStatuses, Order, partnerReasons, pricingTypes, putStatuses } from './order.ts';
import { skuLength } from './sizes.ts';
import { subCodesIn } from './sub-codes.ts';

export const PutItem = Type.Object({
  _id: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'The id of the item. Alternatively, identify the item by `sku`. If you send both, they must refer to the same item.',
    }),
  ),
  sku: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: skuLength,
      description: 'The SKU of the item. A replacement must have a different SKU than the item it replaces.',
    }),
  ),
  name: Type.Optional(Type.String({ description: 'Ignored; the name in the order applies.' })),
  status: Type.Optional(OneOf(itemStatuses, { description: 'Required in the strict profile.' })),
  replaced_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'For a replacement, the `_id` of the item it replaces.' }),
  ),
  pricing: Type.Optional(
    Type.Object(
      {
        pricing_type: Type.Optional(OneOf(pricingTypes, { description: 'Required in the strict profile.' })),
        quantity: Type.Optional(
          Type.Number({ description: 'The number of picked units; 1 or absent for KG. Default: as ordered.' }),
        ),
        weight: Type.Optional(Type.Number({ description: 'KG only: the picked weight. Default: as ordered.' })),
        unit_price: Type.Optional(
          Type.Number({
            description:
              'Between 0 and 9,999,999.999, rounded to the minor unit of the currency. A price above 0 must not round to 0.',
          }),
        ),
        total_price: Type.Optional(
          Type.Number({
            description:
              'Between 0 and 9,999,999.999, rounded to the minor unit of the currency. A price above 0 must not round to 0.',
          }),
        ),
        min_quantity: Type.Optional(Type.Number({ description: 'Ignored; the limits in the order apply.' })),
        max_quantity: Type.Optional(Type.Number({ description: 'Ignored; the limits in the order apply.' })),
      },
      {
        description:
          'Required in the strict profile. To change a price, send either `unit_price` or `total_price`, not both. The tolerant profile ignores a `total_price` that equals the one in the order, or the unit price multiplied by the picked quantity or weight, within one minor unit of the currency.',
      },
    ),
  ),
});

export const PutOrder = Type.Object({
  order_id: Type.Optional(described(Id, 'If sent, must be the same as the id in the path.')),
  status: OneOf(putStatuses, { description: 'What to do: fulfil, validate or cancel; see `allowed_actions`.' }),
  items: Type.Optional(
    Type.Array(PutItem, { maxItems: 1000, description: 'Required in the strict profile. Ignored with CANCELLED.' }),
  ),
  cancellation: Type.Optional(
    Type.Object(
      { reason: OneOf(partnerReasons, { description: 'Why you cannot fulfil the order.' }) },
      { description: 'Required with CANCELLED, ignored otherwise.' },
    ),
  ),
});

/** The part of the body that can be validated without knowing the profile, the status or the order. */
export const PutOrderEnvelope = Type.Object({
  order_id: Type.Optional(Id),
  status: Type.String(),
  items: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 1000 })),
  cancellation: Type.Optional(Type.Unknown()),
});

export const WarningCode = OneOf(subCodesIn('warning'), {
  description: 'A stable code for this adjustment; see the list of errors.',
});
export const Warning = Type.Object({
  pointer: Type.String({ description: 'A JSON pointer into the request body.' }),
  code: WarningCode,
  message: Type.String({ description: 'What was adjusted, and why. The text can change.' }),
});
export type Warning = Static<typeof Warning>;
export const PutOrderResponse = Type.Object({
  ...Order.properties,
  warnings: Type.Optional(Type.Array(Warning, { description: 'Adjustments that were made to the request.' })),
});
