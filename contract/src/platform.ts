import Type from 'typebox';
import { CategoryTree, exampleCategory } from './product.ts';
import {
  Closed,
  CountryCode,
  Currency,
  described,
  Id,
  Locale,
  Localized,
  Nullable,
  Page,
  pageQuery,
  Timestamp,
} from './common.ts';
import {
  ExternalId,
  IntegrationEnabled,
  IntegrationType,
  Name,
  Profile,
  SalesBuffer,
  TransportType,
} from './identity.ts';
import { platformCredentialRoutes } from './platform-credentials.ts';
import { itemsBytes, route } from './route.ts';
import { valueFaults } from './value-faults.ts';

export const Chain = Type.Object({
  chain_id: described(Id, 'The id of the chain.'),
  name: Type.String({ description: 'The name of the chain.' }),
  profile: Profile,
  country_code: Nullable(Type.String({ description: 'ISO 3166-1 alpha-2 country code. Null if not set.' })),
  created_at: Timestamp,
});

export const PlatformVendorSettings = Type.Object({
  sales_buffer: SalesBuffer,
  unit_overpick: Type.Integer({ minimum: 0, maximum: 1000, description: 'How many extra units can be picked.' }),
  weight_tolerance: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The fraction by which the picked weight can differ from the ordered weight.',
  }),
  weighted_replacement: Type.Boolean({ description: 'Whether items sold by weight can replace each other.' }),
  integration_type: IntegrationType,
  integration_enabled: IntegrationEnabled,
  test: Type.Boolean({ description: 'Whether this is a test store.' }),
});

export const Vendor = Type.Object({
  vendor_id: Type.String({ description: 'The platform id of the vendor.' }),
  chain_id: described(Id, 'The chain that the vendor belongs to.'),
  external_id: Nullable(Type.String({ description: "The chain's own store number. Null if there is none." })),
  name: Type.String({ description: 'The name of the store.' }),
  currency: Currency,
  country_code: CountryCode,
  locale: Locale,
  timezone: Type.String({ description: 'IANA time zone name, e.g. `Asia/Dubai`.' }),
  transport_type: TransportType,
  settings: described(PlatformVendorSettings, "How the store's orders are handled."),
  created_at: Timestamp,
});

const Timezone = Type.String({ format: 'time-zone', description: 'IANA time zone name, e.g. `Asia/Dubai`.' });
const vendorFields = {
  name: Name,
  currency: Currency,
  country_code: CountryCode,
  locale: Locale,
  timezone: Timezone,
  transport_type: TransportType,
};

const exampleChain = {
  chain_id: '2f1f6a0e-5f0b-4c0e-8d84-3f4c8f0b7a11',
  name: 'Palm Grocer',
  profile: 'strict',
  country_code: 'AE',
  created_at: '2026-05-04T09:30:00.000Z',
};
const exampleVendor = {
  vendor_id: 's8ym',
  chain_id: exampleChain.chain_id,
  external_id: '1001',
  name: 'Marina Walk',
  currency: 'AED',
  country_code: 'AE',
  locale: 'en_AE',
  timezone: 'Asia/Dubai',
  transport_type: 'LOGISTICS_DELIVERY',
  settings: {
    sales_buffer: 0,
    unit_overpick: 0,
    weight_tolerance: 0.2,
    weighted_replacement: false,
    integration_type: 'PICKING',
    integration_enabled: true,
    test: false,
  },
  created_at: '2026-05-04T09:30:00.000Z',
};
const examplePage = { page_number: 1, page_size: 20, total_pages: 1, total_items: 1 };

const chains = { api: 'platform', tag: 'Chains', access: 'platform', rateLimit: 'platform' } as const;
const vendors = { api: 'platform', tag: 'Vendors', access: 'platform', rateLimit: 'platform' } as const;

export const platformRoutes = {
  platformCreateChain: route({
    ...chains,
    method: 'POST',
    path: '/platform/v1/chains',
    summary: 'Create a chain',
    body: {
      required: true,
      schema: Closed(
        Type.Object({
          name: Name,
          profile: Type.Optional(Profile),
          country_code: Type.Optional(CountryCode),
        }),
      ),
      example: { name: 'Palm Grocer', country_code: 'AE' },
    },
    responses: { 201: { description: 'The new chain.', schema: Chain, example: exampleChain } },
    errors: [],
  }),

  platformListChains: route({
    ...chains,
    method: 'GET',
    path: '/platform/v1/chains',
    summary: 'List chains',
    query: Type.Object({ ...pageQuery }),
    responses: {
      200: {
        description: 'A page of chains, newest first.',
        schema: Page('chains', Chain),
        example: { chains: [exampleChain], ...examplePage },
      },
    },
    errors: [],
  }),

  platformGetChain: route({
    ...chains,
    method: 'GET',
    path: '/platform/v1/chains/{chain_id}',
    summary: 'Get a chain',
    responses: { 200: { description: 'The chain.', schema: Chain, example: exampleChain } },
    errors: [],
  }),

  platformUpdateChain: route({
    ...chains,
    method: 'PATCH',
    path: '/platform/v1/chains/{chain_id}',
    summary: 'Update a chain',
    body: {
      required: true,
      schema: Closed(Type.Partial(Type.Object({ name: Name, profile: Profile, country_code: Nullable(CountryCode) }))),
      example: { profile: 'tolerant' },
    },
    responses: { 200: { description: 'The updated chain.', schema: Chain, example: exampleChain } },
    errors: [],
  }),

  platformCreateVendor: route({
    ...vendors,
    method: 'POST',
    path: '/platform/v1/chains/{chain_id}/vendors',
    summary: 'Create a vendor',
    body: {
      required: true,
      schema: Closed(
        Type.Object({
          ...vendorFields,
          external_id: Type.Optional(ExternalId),
          settings: Type.Optional(
            described(Type.Partial(PlatformVendorSettings), 'Settings that differ from the defaults.'),
          ),
        }),
      ),
      example: {
        name: 'Marina Walk',
        external_id: '1001',
        currency: 'AED',
        country_code: 'AE',
        locale: 'en_AE',
        timezone: 'Asia/Dubai',
        transport_type: 'LOGISTICS_DELIVERY',
      },
    },
    responses: { 201: { description: 'The new vendor with its platform id.', schema: Vendor, example: exampleVendor } },
    errors: ['external_id_taken'],
  }),

  platformListVendors: route({
    ...vendors,
    method: 'GET',
    path: '/platform/v1/chains/{chain_id}/vendors',
    summary: "List a chain's vendors",
    query: Type.Object({ ...pageQuery }),
    responses: {
      200: {
        description: 'A page of vendors, sorted by platform id.',
        schema: Page('vendors', Vendor),
        example: { vendors: [exampleVendor], ...examplePage },
      },
    },
    errors: [],
  }),

  platformGetVendor: route({
    ...vendors,
    method: 'GET',
    path: '/platform/v1/chains/{chain_id}/vendors/{vendor_id}',
    summary: 'Get a vendor',
    responses: { 200: { description: 'The vendor.', schema: Vendor, example: exampleVendor } },
    errors: [],
  }),

  platformUpdateVendor: route({
    ...vendors,
    method: 'PATCH',
    path: '/platform/v1/chains/{chain_id}/vendors/{vendor_id}',
    summary: 'Update a vendor',
    body: {
      required: true,
      schema: Closed(
        Type.Partial(
          Type.Object({
            ...vendorFields,
            external_id: Nullable(ExternalId),
            settings: described(Type.Partial(PlatformVendorSettings), 'The settings to change.'),
          }),
        ),
      ),
      example: { settings: { unit_overpick: 1 } },
    },
    responses: { 200: { description: 'The updated vendor.', schema: Vendor, example: exampleVendor } },
    errors: ['external_id_taken'],
  }),

  platformPutCategories: route({
    ...chains,
    method: 'PUT',
    path: '/platform/v1/chains/{chain_id}/categories',
    tag: 'Categories',
    summary: "Replace a chain's category tree",
    description:
      'Categories are matched by `global_id`; a category without one is assigned a new id. Categories that are not in the request are deleted. If one of those still contains products, the request is rejected.',
    body: {
      required: true,
      maxBytes: itemsBytes,
      schema: Closed(
        Type.Object({
          categories: Type.Array(
            Type.Object({
              global_id: Type.Optional(
                Type.String({
                  minLength: 1,
                  maxLength: 64,
                  pattern: '^[^\\s,]+$',
                  patternHint: valueFaults.category_id,
                  description: 'The id of the category. Default: a new id.',
                }),
              ),
              parent_global_id: Type.Optional(
                Nullable(
                  Type.String({
                    minLength: 1,
                    maxLength: 64,
                    description:
                      'The `global_id` of the parent, which must also be in the list. Null or absent for a top-level category.',
                  }),
                ),
              ),
              details: Type.Object(
                { name: Localized, description: Type.Optional(Localized) },
                { description: 'The name and description of the category.' },
              ),
              active: Type.Optional(
                Type.Boolean({ description: 'Whether the storefront shows the category. Default: true.' }),
              ),
            }),
            { maxItems: 10_000, description: 'The complete tree as a flat list.' },
          ),
        }),
      ),
      example: { categories: [{ global_id: 'dairy', details: { name: { en_AE: 'Dairy', ar_AE: 'الألبان' } } }] },
    },
    responses: {
      200: { description: 'The new category tree.', schema: CategoryTree, example: { categories: [exampleCategory] } },
    },
    errors: [],
  }),

  ...platformCredentialRoutes,
};
