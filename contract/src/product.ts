import Type from 'typebox';
import { Currency, described, Id, Localized, Nullable, OneOf, Timestamp } from './common.ts';
import { promotionTypes } from './promotion-types.ts';
import { maxInteger, maxLocales, maxMoney, maxProductBytes, skuLength } from './sizes.ts';
import { describeValue } from './value-faults.ts';

const CategoryDetails = Type.Object(
  {
    name: described(Localized, 'The name by locale, e.g. `{"en_SG": "Dairy"}`.'),
    description: described(Localized, 'The description by locale; may be empty.'),
  },
  { description: 'The name and description of the category.' },
);

/** A query parameter that names a product. */
export const SkuQuery = Type.String({
  minLength: 1,
  maxLength: skuLength,
  examples: ['MLK-00012'],
  description: 'The SKU of the product.',
});

export const Category = Type.Object({
  global_id: Type.String({ description: 'The id of the category, chosen by the operator and unique in the chain.' }),
  parent_global_id: Nullable(Type.String({ description: 'The parent category. Null at the top of the tree.' })),
  details: CategoryDetails,
  active: Type.Boolean({ description: 'Whether the storefront shows the category.' }),
});
export const CategoryTree = Type.Object({
  categories: Type.Array(Category, { description: 'The complete tree as a flat list.' }),
});
export const exampleCategory = {
  global_id: 'dairy',
  parent_global_id: null,
  details: { name: { en_AE: 'Dairy', ar_AE: 'الألبان' }, description: {} },
  active: true,
};

const Weight = Type.Number({ minimum: 0, maximum: maxMoney });
const WeightSpecifications = Type.Object(
  {
    base_weight: Type.Optional(described(Weight, 'The weight that the shelf price refers to, in KG.')),
    average_weight_per_piece: Type.Optional(described(Weight, 'The usual weight of one piece, in KG.')),
    minimum_starting_weight: Type.Optional(described(Weight, 'The smallest weight that is sold, in KG.')),
  },
  { description: 'Weights in KG, for information only.' },
);

const ProductPromotion = Type.Object(
  {
    promotion_id: described(Id, 'The id of the promotion.'),
    type: OneOf(promotionTypes, {
      description: 'STRIKETHROUGH: a lower price. SAME_ITEM_BUNDLE: some units are discounted.',
    }),
    display_name: described(Localized, 'The name of the promotion by locale.'),
    end_time: described(Timestamp, 'When the promotion ends.'),
  },
  { description: 'The promotion that applies now. Absent if there is none.' },
);

export const Product = Type.Object({
  sku: Type.String({ description: "The chain's own id for the product." }),
  remote_product_id: Type.String({ description: 'The id of the product on the platform.' }),
  barcodes: Type.Array(Type.String(), { description: 'The barcodes; empty if there are none.' }),
  title: Nullable(
    Type.String({
      description:
        'The title in the requested locale, or in the closest one available. Null if the product has no title.',
    }),
  ),
  description: Nullable(
    Type.String({
      description:
        'The description in the requested locale, or in the closest one available. Null if the product has no description.',
    }),
  ),
  translations: described(Localized, 'The title in every locale.'),
  descriptions: described(Localized, 'The description in every locale.'),
  images: Type.Array(Type.String(), { description: 'URLs of pictures; empty if there are none.' }),
  price: Type.Number({ description: 'The price per unit, or per KG for products sold by weight.' }),
  promotional_price: Type.Optional(
    Type.Number({
      description:
        'The price while `promotion` is running, rounded to the minor unit of the currency. Absent for bundles.',
    }),
  ),
  promotion: Type.Optional(ProductPromotion),
  currency: Currency,
  status: OneOf(['ACTIVE', 'INACTIVE'], { description: 'ACTIVE if `active` is true, INACTIVE otherwise.' }),
  active: Type.Boolean({ description: 'Whether the store sells the product.' }),
  available: Type.Boolean({
    description:
      'Whether the product can be ordered: it is active, it is not sold out (known stock at or below the sales buffer), and `maximum_sales_quantity` is not 0.',
  }),
  quantity: Nullable(
    Type.Integer({ description: 'The stock. Null if unknown, in which case orders are not limited by stock.' }),
  ),
  maximum_sales_quantity: Nullable(
    Type.Integer({ description: 'The maximum number of units (or KG) per order. Null if there is no limit.' }),
  ),
  is_sold_by_weight: Type.Boolean({
    description: 'Whether the product is sold by weight. If so, the price is per KG.',
  }),
  weight_specifications: Type.Optional(WeightSpecifications),
  category: Nullable(Type.String({ description: "The name of the product's first category." })),
  categories: Type.Array(
    Type.Object({
      global_id: Type.String({ description: 'The id of the category.' }),
      details: CategoryDetails,
      active: Type.Boolean({ description: 'Whether the storefront shows the category.' }),
    }),
    { description: 'The categories of the product; empty if it has none.' },
  ),
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
    'The price per unit, or per KG for products sold by weight. Digits after the third decimal place are truncated; the price must be 0 or at least 0.001.',
});
const Barcode = Type.String({
  pattern: '^[0-9]{1,14}$',
  patternHint: describeValue('digits', { min: 1, max: 14 }),
  description: 'A barcode of 1 to 14 digits.',
});
const Quantity = Type.Integer({ minimum: 0, maximum: maxInteger });
const Stock = Nullable(described(Quantity, 'The stock, as a whole number. Null means that it is unknown.'));
const Maximum = Nullable(described(Quantity, 'The maximum per order, as a whole number. Null removes the limit.'));

const MaxSalesQuantity = Nullable(
  Type.Integer({
    ...Quantity,
    description: 'Another name for `maximum_sales_quantity`, which takes precedence if both are sent.',
  }),
);

export const ProductUpdate = Type.Object({
  sku: Sku,
  barcode: Type.Optional(
    described(
      Barcode,
      'Replaces all barcodes of the product in the whole chain, which requires a credential that is not limited to some vendors. 1 to 14 digits.',
    ),
  ),
  quantity: Type.Optional(Stock),
  price: Type.Optional(Price),
  active: Type.Optional(Type.Boolean({ description: 'Whether the store sells the product.' })),
  maximum_sales_quantity: Type.Optional(Maximum),
  max_sales_quantity: Type.Optional(MaxSalesQuantity),
});

export const NewProduct = Type.Object({
  sku: Sku,
  title: Type.Union([Localized, Type.String({ minLength: 1 })], {
    description: `The titles in up to ${maxLocales} locales, or a single string in the store's language. Each can have up to 10,000 characters. Titles, descriptions and picture URLs together can have up to ${maxProductBytes / 1024} KiB.`,
  }),
  price: Price,
  description: Type.Optional(
    Type.Union([Localized, Type.String()], {
      description: `The descriptions in up to ${maxLocales} locales, or a single string in the store's language. Each can have up to 10,000 characters.`,
    }),
  ),
  barcode: Type.Optional(Barcode),
  barcodes: Type.Optional(
    Type.Array(Barcode, { maxItems: 50, description: 'The barcodes of the product, in addition to `barcode`.' }),
  ),
  categories: Type.Optional(
    Type.Array(Type.String(), { maxItems: 50, description: 'The `global_id`s of existing categories.' }),
  ),
  images: Type.Optional(Type.Array(Type.String(), { maxItems: 50, description: 'https URLs of pictures.' })),
  active: Type.Optional(Type.Boolean({ default: true, description: 'Whether the store sells the product.' })),
  quantity: Type.Optional(Stock),
  maximum_sales_quantity: Type.Optional(Maximum),
  max_sales_quantity: Type.Optional(MaxSalesQuantity),
  is_sold_by_weight: Type.Optional(Type.Boolean({ default: false, description: 'If true, `price` is per KG.' })),
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
