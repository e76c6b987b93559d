import Type from 'typebox';
import { Currency, Id, Locale, Localized, Money, Nullable, OneOf, Page, pageQuery, Timestamp } from './common.ts';
import { route } from './route.ts';
import { skuLength } from './sizes.ts';

export const jobStatuses = ['QUEUED', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;
export const jobTypes = ['CATALOG_UPDATE', 'PRODUCT_CREATION', 'CATALOG_EXPORT'] as const;
export const itemStates = ['UPDATED', 'UNCHANGED', 'CREATED', 'DUPLICATED', 'SUPERSEDED', 'FAILED'] as const;

/** The columns of result files and exports, in order. Product creation adds one column. */
export const logColumns = ['sku', 'code', 'state', 'errors', 'rowNumber', 'pieceBarcode'] as const;
export const creationLogColumns = [...logColumns, 'vendor_id'] as const;
export const exportColumns = ['sku', 'barcode', 'price', 'active', 'max_sales_quantity', 'quantity'] as const;

export const JobAccepted = Type.Object({ job_id: Id, job_status: OneOf(['QUEUED']) });
export const exampleAccepted = { job_id: '0b0f7c5e-9a1e-4c53-8d5a-2a6f7f7f4b01', job_status: 'QUEUED' };

const ItemFeedback = Type.Object({
  sku: Nullable(Type.String()),
  vendor_id: Nullable(Type.String()),
  status: OneOf(itemStates),
  rejection_reasons: Type.Array(
    Type.Object({ rejected_data: Nullable(Type.String()), rejected_reason: Type.String() }),
  ),
});

export const CatalogJob = Type.Object({
  job_id: Id,
  job_status: OneOf(jobStatuses),
  job_type: OneOf(jobTypes),
  vendor_id: Type.Optional(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
  progress: Type.Object({
    total: Type.Integer(),
    processed: Type.Integer(),
    succeeded: Type.Integer({ description: 'Items that are UPDATED or CREATED.' }),
    unchanged: Type.Integer({ description: 'Items that are UNCHANGED, SUPERSEDED or DUPLICATED.' }),
    failed: Type.Integer(),
  }),
  download_url: Type.Optional(Type.String()),
  result: Type.Object({
    item_level_feedback: Type.Array(ItemFeedback, { description: 'The first 1,000 failed items; the file has all.' }),
    duplicated_products: Type.Array(Type.String(), {
      description: 'The first 1,000 SKUs that a vendor already had; the file has all.',
    }),
    download_url: Type.Optional(Type.String()),
  }),
  error: Type.Optional(Type.String({ description: 'The reason, if the job is FAILED.' })),
});

const exampleJob = {
  ...exampleAccepted,
  job_status: 'COMPLETED',
  job_type: 'CATALOG_UPDATE',
  vendor_id: 's8ym',
  created_at: '2026-05-04T09:30:00.000Z',
  updated_at: '2026-05-04T09:30:01.250Z',
  progress: { total: 3, processed: 3, succeeded: 1, unchanged: 1, failed: 1 },
  download_url:
    'http://127.0.0.1:8080/v2/chains/2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11/catalog/jobs/0b0f7c5e-9a1e-4c53-8d5a-2a6f7f7f4b01/download',
  result: {
    item_level_feedback: [
      {
        sku: 'MLK-99999',
        vendor_id: 's8ym',
        status: 'FAILED',
        rejection_reasons: [
          { rejected_data: 'MLK-99999', rejected_reason: 'The vendor has no product with this SKU.' },
        ],
      },
    ],
    duplicated_products: [],
  },
};

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
    base_weight: Type.Optional(Type.Number({ minimum: 0, maximum: 9_999_999.999 })),
    average_weight_per_piece: Type.Optional(Type.Number({ minimum: 0, maximum: 9_999_999.999 })),
    minimum_starting_weight: Type.Optional(Type.Number({ minimum: 0, maximum: 9_999_999.999 })),
  },
  { description: 'Weights in KG, for information only.' },
);

export const promotionTypes = ['STRIKETHROUGH', 'SAME_ITEM_BUNDLE'] as const;

/** The promotion that currently applies to a product. */
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

const exampleProduct = {
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

const Sku = Type.String({ minLength: 1, maxLength: skuLength });
const Barcode = Type.String({ pattern: '^[0-9]{1,14}$', patternHint: 'must be a string of 1 to 14 digits' });
const Quantity = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });

export const ProductUpdate = Type.Object({
  sku: Sku,
  barcode: Type.Optional(Barcode),
  quantity: Type.Optional(Nullable(Quantity)),
  price: Type.Optional(Money),
  active: Type.Optional(Type.Boolean()),
  maximum_sales_quantity: Type.Optional(Nullable(Quantity)),
});

export const NewProduct = Type.Object({
  sku: Sku,
  title: Type.Union([Localized, Type.String({ minLength: 1 })]),
  price: Money,
  description: Type.Optional(Type.Union([Localized, Type.String()])),
  barcode: Type.Optional(Barcode),
  barcodes: Type.Optional(Type.Array(Barcode, { maxItems: 50 })),
  categories: Type.Optional(Type.Array(Type.String({ description: 'A `global_id`.' }), { maxItems: 50 })),
  images: Type.Optional(Type.Array(Type.String({ description: 'An https URL.' }), { maxItems: 50 })),
  active: Type.Optional(Type.Boolean({ default: true })),
  quantity: Type.Optional(Nullable(Quantity)),
  maximum_sales_quantity: Type.Optional(Nullable(Quantity)),
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
const jobs = { api: 'partner', tag: 'Catalog jobs', access: 'catalog:read', rateLimit: 'read' } as const;
export const largeBody = { required: true, form: 'bytes', maxBytes: 64 * 1024 * 1024 } as const;

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
      202: { description: 'The job was accepted.', schema: JobAccepted, example: exampleAccepted },
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
    summary: 'Export the catalog of a store',
    description: `A request body is ignored. The file has the columns \`${exportColumns.join(',')}\`.`,
    access: 'catalog:write',
    rateLimit: 'catalog_write',
    responses: { 202: { description: 'The job was accepted.', schema: JobAccepted, example: exampleAccepted } },
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
    responses: { 202: { description: 'The job was accepted.', schema: JobAccepted, example: exampleAccepted } },
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
    responses: { 202: { description: 'The job was accepted.', schema: JobAccepted, example: exampleAccepted } },
    errors: [],
  }),

  listCatalogJobs: route({
    ...jobs,
    method: 'GET',
    path: '/v2/chains/{chain_id}/catalog/jobs',
    summary: 'List catalog jobs',
    query: Type.Object({
      status: Type.Optional(OneOf(jobStatuses)),
      type: Type.Optional(OneOf(jobTypes)),
      ...pageQuery,
    }),
    responses: {
      200: {
        description: 'A page of jobs, newest first.',
        schema: Page('jobs', CatalogJob),
        example: { jobs: [exampleJob], page_number: 1, page_size: 20, total_pages: 1, total_items: 1 },
      },
    },
    errors: [],
  }),

  getCatalogJob: route({
    ...jobs,
    method: 'GET',
    path: '/v2/chains/{chain_id}/catalog/jobs/{job_id}',
    summary: 'Get a catalog job',
    responses: { 200: { description: 'The job.', schema: CatalogJob, example: exampleJob } },
    errors: ['job_not_found'],
  }),

  downloadCatalogJob: route({
    ...jobs,
    method: 'GET',
    path: '/v2/chains/{chain_id}/catalog/jobs/{job_id}/download',
    summary: 'Download the file of a job',
    description: `The file of an update has the columns \`${logColumns.join(',')}\`; product creation adds \`vendor_id\`. The \`Accept\` header selects the format. In CSV, a cell that a spreadsheet would run as a formula is prefixed with an apostrophe.`,
    responses: {
      200: {
        description: 'The file.',
        mediaTypes: ['text/csv', 'application/json', 'application/x-ndjson'],
        example: 'sku,code,state,errors,rowNumber,pieceBarcode\nMLK-00012,,UPDATED,,1,\n',
      },
    },
    errors: ['job_not_found', 'file_not_found', 'download_expired'],
  }),
};
