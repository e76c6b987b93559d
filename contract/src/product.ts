import Type from 'typebox';
import { Currency, Id, Localized, Nullable, OneOf, Timestamp } from './common.ts';
import { promotionTypes } from './promotion-types.ts';
import { maxInteger, maxMoney, skuLength } from './sizes.ts';

const CategoryDetails = Type.Object({ name: Localized, description: Localized });

export const Category = Type.Object({
  global_id: Type.String(),
  parent_global_id: Nullable(Type.String()),
  details: CategoryDetails,
  active: Type.Boolean(),
});
export const CategoryTree = Type.Object({ categories: Type.Array(Category) });
export const exampleCategory = {
  global_id: 'dairy',
  parent_global_id: null,
  details: { name: { en_AE: 'Dairy', ar_AE: 'الألبان' }, description: {} },
  active: true,
};

const WeightSpecifications = Type.Object(
  {
    base_weight: Type.Optional(Type.Number({ minimum: 0, maximum: maxMoney })),
    average_weight_per_piece: Type.Optional(Type.Number({ minimum: 0, maximum: maxMoney })),
    minimum_starting_weight: Type.Optional(Type.Number({ minimum: 0, maximum: maxMoney })),
  },
  { description: 'Weights in KG, for information only.' },
);

const ProductPromotion = Type.Object({
  promotion_id: Id,
  type: OneOf(promotionTypes),
  display_name: Localized,
  end_time: Timestamp,
});

export const Product = Type.Object({
  sku: Type.String(),
  remote_product_id: Type.String({ description: 'The id of the product on the platform.' }),
  barcodes: Type.Array(Type.String()),
  title: Nullable(Type.String()),
  description: Nullable(Type.String()),
  translations: Localized,
  descriptions: Localized,
  images: Type.Array(Type.String()),
  price: Type.Number({ description: 'The price per unit, or per KG for products sold by weight.' }),
  promotional_price: Type.Optional(
    Type.Number({
      description:
        'The price while `promotion` is running, rounded to the minor unit of the currency. Absent for bundles.',
    }),
  ),
  promotion: Type.Optional(ProductPromotion),
  currency: Currency,
  status: OneOf(['ACTIVE', 'INACTIVE']),
  active: Type.Boolean(),
  available: Type.Boolean({
    description:
      'Whether the product can be ordered: it is active, it is not sold out (known stock at or below the sales buffer), and `maximum_sales_quantity` is not 0.',
  }),
  quantity: Nullable(Type.Integer()),
  maximum_sales_quantity: Nullable(Type.Integer()),
  is_sold_by_weight: Type.Boolean(),
  weight_specifications: Type.Optional(WeightSpecifications),
  category: Nullable(Type.String({ description: 'The name of the first category of the product.' })),
  categories: Type.Array(Type.Object({ global_id: Type.String(), details: CategoryDetails, active: Type.Boolean() })),
  updated_at: Timestamp,
});

export const exampleProduct = {
  sku: 'MLK-00012',
  remote_product_id: '5d2c3d9e-9d5b-5a44-9a51-3f0f3c9c8a10',
  barcodes: ['2000000000121'],
  title: 'Meadowbrook Full Fat Milk 1 L',
  description: 'Fresh full fat milk.',
  translations: { en_AE: 'Meadowbrook Full Fat Milk 1 L' },
  descriptions: { en_AE: 'Fresh full fat milk.' },
  images: ['http://127.0.0.1:8080/demo/pictures/MLK-00012.svg'],
  price: 6.25,
  promotional_price: 4.95,
  promotion: {
    promotion_id: '7f3c1d52-6a0b-4a5e-9c38-5d1f0e6b2a90',
    type: 'STRIKETHROUGH',
    display_name: { en_AE: 'Breakfast week', ar_AE: 'أسبوع الفطور' },
    end_time: '2035-05-11T00:00:00.000Z',
  },
  currency: 'AED',
  status: 'ACTIVE',
  active: true,
  available: true,
  quantity: 40,
  maximum_sales_quantity: null,
  is_sold_by_weight: false,
  category: 'Milk',
  categories: [{ global_id: 'dairy', details: exampleCategory.details, active: true }],
  updated_at: '2026-05-04T09:30:00.000Z',
};

const Sku = Type.String({
  minLength: 1,
  maxLength: skuLength,
  description: 'The SKU of the product, without spaces at the beginning or end.',
});
const Price = Type.Number({
  minimum: 0,
  maximum: maxMoney,
  description:
    'The price per unit, or per KG for products sold by weight. Digits after the third decimal place are truncated; a price greater than 0 must be at least 0.001.',
});
const Barcode = Type.String({ pattern: '^[0-9]{1,14}$', patternHint: 'must be a string of 1 to 14 digits' });
const Quantity = Type.Integer({ minimum: 0, maximum: maxInteger });

const MaxSalesQuantity = Nullable(
  Type.Integer({ ...Quantity, description: 'Another name for `maximum_sales_quantity`, which takes precedence.' }),
);

export const ProductUpdate = Type.Object({
  sku: Sku,
  barcode: Type.Optional(Barcode),
  quantity: Type.Optional(Nullable(Quantity)),
  price: Type.Optional(Price),
  active: Type.Optional(Type.Boolean()),
  maximum_sales_quantity: Type.Optional(Nullable(Quantity)),
  max_sales_quantity: Type.Optional(MaxSalesQuantity),
});

export const NewProduct = Type.Object({
  sku: Sku,
  title: Type.Union([Localized, Type.String({ minLength: 1 })]),
  price: Price,
  description: Type.Optional(Type.Union([Localized, Type.String()])),
  barcode: Type.Optional(Barcode),
  barcodes: Type.Optional(
    Type.Array(Barcode, { maxItems: 50, description: 'With `barcode`, the product gets that barcode and these.' }),
  ),
  categories: Type.Optional(Type.Array(Type.String({ description: 'A `global_id`.' }), { maxItems: 50 })),
  images: Type.Optional(Type.Array(Type.String({ description: 'An https URL.' }), { maxItems: 50 })),
  active: Type.Optional(Type.Boolean({ default: true })),
  quantity: Type.Optional(Nullable(Quantity)),
  maximum_sales_quantity: Type.Optional(Nullable(Quantity)),
  max_sales_quantity: Type.Optional(MaxSalesQuantity),
  is_sold_by_weight: Type.Optional(Type.Boolean({ default: false })),
  weight_specifications: Type.Optional(WeightSpecifications),
});

export const VendorChoice = Type.Union(
  [OneOf(['*']), Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: 100_000 })],
  { description: 'A list of vendor ids, or `*` for all vendors of the chain.' },
);

export const exampleNewProduct = {
  sku: 'MLK-00012',
  title: { en_AE: 'Meadowbrook Full Fat Milk 1 L' },
  price: 6.25,
  barcode: '2000000000121',
  categories: ['dairy'],
};
