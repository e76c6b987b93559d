import Type from 'typebox';
import { Currency, Id, Locale, Localized, Nullable, OneOf, Page, pageQuery, Timestamp } from './common.ts';
import { columnsOf, exampleAccepted, ExportRow, JobAccepted } from './jobs.ts';
import { promotionTypes } from './promotion-types.ts';
import { route } from './route.ts';
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

const exampleNewProduct = {
  sku: 'MLK-00012',
  title: { en_AE: 'Meadowbrook Full Fat Milk 1 L' },
  price: 6.25,
  barcode: '2000000000121',
  categories: ['dairy'],
};

const catalog = { api: 'partner', tag: 'Catalog' } as const;
export const largeBody = { required: true, form: 'bytes', maxBytes: 64 * 1024 * 1024 } as const;

const accepted = {
  202: { description: 'The job was accepted.', schema: JobAccepted, example: exampleAccepted, job: 'getCatalogJob' },
} as const;

export const catalogRoutes = {
  updateCatalog: route({
    ...catalog,
    method: 'PUT',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/catalog',
    summary: 'Update prices, stock and availability',
    description:
      'A request with exactly one item is applied immediately and returns the product, if the chain has the `strict` profile and the request does not send `Prefer: respond-async`. All other requests create a job: the response is 202 as soon as the request is durably stored, and the file of the job reports the result for each SKU.',
    access: 'catalog:write',
    rateLimit: 'catalog_write',
    headers: ['prefer'],
    body: {
      ...largeBody,
      schema: Type.Object({ products: Type.Array(ProductUpdate, { minItems: 1, maxItems: 200_000 }) }),
      example: {
        products: [
          { sku: 'MLK-00012', price: 6.25, quantity: 40 },
          { sku: 'MLK-00013', active: false },
        ],
      },
    },
    responses: {
      200: { description: 'The updated product.', schema: Product, example: exampleProduct },
      ...accepted,
    },
    errors: ['product_not_found'],
  }),

  listCatalog: route({
    ...catalog,
    method: 'GET',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/catalog',
    summary: 'List or search products',
    access: 'catalog:read',
    rateLimit: 'read',
    query: Type.Object({
      query_term: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'Matches any part of the title in any language, or the beginning of a SKU or barcode.',
        }),
      ),
      category_global_ids: Type.Optional(
        Type.Array(Type.String({ maxLength: 64 }), {
          maxItems: 200,
          description:
            'Category ids, separated by commas or as repeated parameters. A category includes its descendants.',
        }),
      ),
      locale: Type.Optional(Locale),
      is_active: Type.Optional(Type.Boolean()),
      ...pageQuery,
    }),
    responses: {
      200: {
        description: 'A page of products, sorted by SKU.',
        schema: Page('products', Product),
        example: { products: [exampleProduct], page_number: 1, page_size: 20, total_pages: 1, total_items: 1 },
        headers: ['etag'],
      },
    },
    errors: [],
  }),

  listCategories: route({
    ...catalog,
    method: 'GET',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/categories',
    summary: 'List categories with their product counts',
    access: 'catalog:read',
    rateLimit: 'read',
    query: Type.Object({
      only_leaves: Type.Optional(Type.Boolean({ description: 'Return only categories without children.' })),
    }),
    responses: {
      200: {
        description: 'The category tree as a flat list, parents before children.',
        schema: Type.Object({
          categories: Type.Array(
            Type.Object({
              ...Category.properties,
              product_count: Type.Integer({ description: 'Products of this store, including descendants.' }),
            }),
          ),
        }),
        example: { categories: [{ ...exampleCategory, product_count: 31 }] },
      },
    },
    errors: [],
  }),

  exportCatalog: route({
    ...catalog,
    method: 'POST',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/catalog/export',
    summary: "Export a store's catalog",
    description: `A request body is ignored. The file has the columns \`${columnsOf(ExportRow).join(',')}\`.`,
    access: 'catalog:write',
    rateLimit: 'catalog_write',
    responses: accepted,
    errors: [],
  }),

  createChainProducts: route({
    ...catalog,
    method: 'POST',
    path: '/v2/chains/{chain_id}/catalog',
    summary: 'Create products at several or all stores',
    access: 'catalog:write',
    rateLimit: 'catalog_write',
    body: {
      ...largeBody,
      schema: Type.Object({ vendors: VendorChoice, products: Type.Array(NewProduct, { minItems: 1 }) }),
      example: { vendors: ['*'], products: [exampleNewProduct] },
    },
    responses: accepted,
    errors: [],
  }),

  createStoreProducts: route({
    ...catalog,
    method: 'POST',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/catalog',
    summary: 'Create products at one store',
    access: 'catalog:write',
    rateLimit: 'catalog_write',
    body: {
      ...largeBody,
      schema: Type.Object({ products: Type.Array(NewProduct, { minItems: 1 }) }),
      example: { products: [exampleNewProduct] },
    },
    responses: accepted,
    errors: [],
  }),
};
