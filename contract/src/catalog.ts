import Type from 'typebox';
import { Locale, OneOf, Page, pageQuery } from './common.ts';
import { columnsOf, exampleAccepted, ExportRow, JobAccepted } from './jobs.ts';
import {
  Category,
  exampleCategory,
  Product,
  exampleProduct,
  ProductUpdate,
  NewProduct,
  VendorChoice,
  exampleNewProduct,
} from './product.ts';
import { applyQuery } from './previews.ts';
import { route } from './route.ts';

const catalog = { api: 'partner', tag: 'Catalog' } as const;
export const largeBody = { required: true, form: 'bytes', maxBytes: 64 * 1024 * 1024 } as const;

const creationDescription =
  'A product is shared by all stores of the chain: its title, description, images, barcodes, categories and weights are set by the request that first creates it, and later requests only add it to other stores. A credential that is limited to some vendors can only add products that the chain already has; other items are rejected with `requires_all_vendors`.';

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
      "A request with exactly one item is applied immediately and returns the product, provided that the chain has the `strict` profile and the request has neither the header `Prefer: respond-async` nor `dry_run` or `apply_at`. All other requests create a job. A 202 response is sent as soon as the request is durably stored, and the job's result file reports the outcome for each SKU. An item with a `barcode` changes the product in all stores, so it is rejected with `requires_all_vendors` if the credential is limited to some vendors.",
    access: 'catalog:write',
    rateLimit: 'catalog_write',
    headers: ['prefer'],
    query: Type.Object(applyQuery),
    body: {
      ...largeBody,
      schema: Type.Object({
        products: Type.Array(ProductUpdate, {
          minItems: 1,
          maxItems: 200_000,
          description: 'The changes, one per SKU.',
        }),
      }),
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
    errors: ['product_not_found', 'storage_limit_reached'],
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
          description:
            'Words that the titles contain, in any order and any language, or the beginning of a SKU or barcode. A complete barcode is also found if it is stored with other leading zeros, for example as an EAN-13 instead of a UPC-A. If no product matches, products with similar words are returned, so that a typo does not matter.',
        }),
      ),
      sort: Type.Optional(
        OneOf(['sku', 'relevance'], {
          default: 'sku',
          description:
            '`sku`: by SKU. `relevance`: with `query_term`, an exact SKU or barcode first, then titles that begin with the term, then titles with words that begin with it, then all others.',
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
      is_active: Type.Optional(
        Type.Boolean({ description: 'Return only active (`true`) or only inactive (`false`) products.' }),
      ),
      ...pageQuery,
    }),
    responses: {
      200: {
        description: 'A page of products, sorted by SKU unless `sort` is `relevance`.',
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
              product_count: Type.Integer({
                description: 'The number of products at this store, including those in descendant categories.',
              }),
            }),
            { description: 'The categories, parents before children.' },
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
    description: `Any request body is ignored. The file has the columns \`${columnsOf(ExportRow).join(',')}\`.`,
    access: 'catalog:write',
    rateLimit: 'catalog_write',
    responses: accepted,
    errors: ['storage_limit_reached'],
  }),

  createChainProducts: route({
    ...catalog,
    method: 'POST',
    path: '/v2/chains/{chain_id}/catalog',
    summary: 'Create products at several or all stores',
    description: creationDescription,
    access: 'catalog:write',
    rateLimit: 'catalog_write',
    body: {
      ...largeBody,
      schema: Type.Object({
        vendors: VendorChoice,
        products: Type.Array(NewProduct, { minItems: 1, description: 'The new products.' }),
      }),
      example: { vendors: ['*'], products: [exampleNewProduct] },
    },
    responses: accepted,
    errors: ['storage_limit_reached'],
  }),

  createStoreProducts: route({
    ...catalog,
    method: 'POST',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/catalog',
    summary: 'Create products at one store',
    description: creationDescription,
    access: 'catalog:write',
    rateLimit: 'catalog_write',
    body: {
      ...largeBody,
      schema: Type.Object({ products: Type.Array(NewProduct, { minItems: 1, description: 'The new products.' }) }),
      example: { products: [exampleNewProduct] },
    },
    responses: accepted,
    errors: ['storage_limit_reached'],
  }),
};
