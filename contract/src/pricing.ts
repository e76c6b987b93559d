import Type from 'typebox';
import { OneOf } from './common.ts';

export const pricingTypes = ['UNIT', 'KG'] as const;

/** The quantity and the price of a line item. */
export const Pricing = Type.Object(
  {
    pricing_type: OneOf(pricingTypes, { description: 'UNIT: sold by unit. KG: sold by weight.' }),
    quantity: Type.Integer({ description: 'UNIT: the number of units. KG: always 1.' }),
    unit_price: Type.Number({
      description:
        'The price per unit, or per kilogram for KG, before promotions, rounded to the minor unit of the currency.',
    }),
    total_price: Type.Number({ description: 'The price of the line item before promotions.' }),
    min_quantity: Type.Number({ description: 'The minimum quantity that can be picked; a weight for KG.' }),
    max_quantity: Type.Number({ description: 'The maximum quantity that can be picked; a weight for KG.' }),
    weight: Type.Optional(Type.Number({ description: 'KG only: the weight in kilograms, with three decimal places.' })),
    vat_percent: Type.Optional(Type.Number({ description: 'The VAT rate in percent, for information only.' })),
  },
  { description: 'The current price of the line item.' },
);
