import Type from 'typebox';
import { Closed, CountryCode, Currency, Locale, Nullable, OneOf, Page, pageQuery } from './common.ts';
import { getLimits } from './limits.ts';
import { route } from './route.ts';
import { valueFaults } from './value-faults.ts';

export const profiles = ['strict', 'tolerant'] as const;
export const transportTypes = ['LOGISTICS_DELIVERY', 'VENDOR_DELIVERY'] as const;

export const Profile = OneOf(profiles, {
  description:
    '`strict`: requests must match the specification exactly. `tolerant`: incomplete requests, which some picking devices send, are also accepted.',
});
export const TransportType = OneOf(transportTypes, {
  description: '`LOGISTICS_DELIVERY`: platform riders deliver. `VENDOR_DELIVERY`: the chain arranges delivery.',
});
export const ExternalId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[^\\s/?#%*]+$',
  patternHint: valueFaults.store_number,
  description: "The chain's own store number. Accepted wherever a vendor id is expected.",
});
export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  patternHint: valueFaults.blank,
  description: 'A human-readable name, up to 200 characters.',
});
export const IntegrationType = Nullable(
  OneOf(['PICKING'], { description: 'PICKING: the store picks its orders with this API. Null: not set up.' }),
);
export const IntegrationEnabled = Type.Boolean({
  description: 'Whether the integration is enabled. Required for test orders.',
});
export const SalesBuffer = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'Products with stock at or below this number are treated as sold out.',
});

export const Store = Type.Object({
  vendor_id: Type.String({ description: 'The platform id of the store.' }),
  external_id: Nullable(Type.String({ description: "The chain's own store number. Null if there is none." })),
  name: Type.String({ description: 'The name of the store.' }),
  currency: Currency,
  country_code: CountryCode,
  locale: Locale,
  timezone: Type.String({ description: 'IANA time zone name, e.g. `Asia/Dubai`.' }),
  transport_type: TransportType,
  test: Type.Boolean({ description: 'Whether this is a test store.' }),
});

export const RecordBodies = Type.Boolean({
  description:
    'Whether the request log includes request and response bodies, without secrets, up to 16 KiB each. Off by default.',
});

export const RequireSecondFactor = Type.Boolean({
  description:
    'Whether owners must have a second factor. Owners without one can sign in, but must turn it on before they can do anything else. Off by default.',
});

export const ChainSettings = Type.Object({
  name: Type.String({ description: 'The name of the chain.' }),
  profile: Profile,
  record_bodies: RecordBodies,
  require_second_factor_for_owners: RequireSecondFactor,
});

export const VendorSettings = Type.Object({
  ...Store.properties,
  sales_buffer: SalesBuffer,
  unit_overpick: Type.Integer({ description: 'How many extra units can be picked.' }),
  weight_tolerance: Type.Number({
    description: 'The fraction by which the picked weight can differ from the ordered weight.',
  }),
  weighted_replacement: Type.Boolean({ description: 'Whether items sold by weight can replace each other.' }),
  integration_type: IntegrationType,
  integration_enabled: IntegrationEnabled,
});

export const exampleStore = {
  vendor_id: 's8ym',
  external_id: '1001',
  name: 'Marina Walk',
  currency: 'AED',
  country_code: 'AE',
  locale: 'en_AE',
  timezone: 'Asia/Dubai',
  transport_type: 'LOGISTICS_DELIVERY',
  test: true,
};
export const examplePage = { page_number: 1, page_size: 20, total_pages: 1, total_items: 1 };
const exampleChainSettings = {
  name: 'Palm Grocer',
  profile: 'strict',
  record_bodies: false,
  require_second_factor_for_owners: false,
};
const exampleVendorSettings = {
  ...exampleStore,
  sales_buffer: 0,
  unit_overpick: 0,
  weight_tolerance: 0.2,
  weighted_replacement: false,
  integration_type: 'PICKING',
  integration_enabled: true,
};
const manage = { api: 'partner', tag: 'Management', access: 'manage' } as const;

export const identityRoutes = {
  getLimits,

  listVendors: route({
    method: 'GET',
    path: '/v2/chains/{chain_id}/vendors',
    api: 'partner',
    tag: 'Outlets',
    summary: 'List stores',
    access: 'outlets:read',
    rateLimit: 'read',
    query: Type.Object({ ...pageQuery }),
    responses: {
      200: {
        description: 'The stores that the token can access, sorted by platform id.',
        schema: Page('vendors', Store),
        example: { vendors: [exampleStore], ...examplePage },
      },
    },
    errors: [],
  }),

  getSettings: route({
    ...manage,
    method: 'GET',
    path: '/v2/chains/{chain_id}/settings',
    summary: "Get the chain's settings",
    rateLimit: 'read',
    responses: {
      200: {
        description: 'The settings.',
        schema: ChainSettings,
        example: exampleChainSettings,
      },
    },
    errors: [],
  }),

  updateSettings: route({
    ...manage,
    method: 'PATCH',
    path: '/v2/chains/{chain_id}/settings',
    summary: "Update the chain's settings",
    rateLimit: 'manage_write',
    body: {
      required: true,
      schema: Closed(
        Type.Partial(
          Type.Object({
            name: Name,
            profile: Profile,
            record_bodies: RecordBodies,
            require_second_factor_for_owners: RequireSecondFactor,
          }),
        ),
      ),
      example: { profile: 'tolerant' },
    },
    responses: {
      200: {
        description: 'The updated settings.',
        schema: ChainSettings,
        example: { ...exampleChainSettings, profile: 'tolerant' },
      },
    },
    errors: [],
  }),

  getVendorSettings: route({
    ...manage,
    method: 'GET',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/settings',
    summary: "Get a store's settings",
    rateLimit: 'read',
    responses: { 200: { description: 'The settings.', schema: VendorSettings, example: exampleVendorSettings } },
    errors: [],
  }),

  updateVendorSettings: route({
    ...manage,
    method: 'PATCH',
    path: '/v2/chains/{chain_id}/vendors/{vendor_id}/settings',
    summary: "Update a store's settings",
    rateLimit: 'manage_write',
    body: {
      required: true,
      schema: Closed(
        Type.Partial(
          Type.Object({
            external_id: Nullable(ExternalId),
            sales_buffer: SalesBuffer,
            integration_type: IntegrationType,
            integration_enabled: IntegrationEnabled,
          }),
        ),
      ),
      example: { external_id: '1001', sales_buffer: 2 },
    },
    responses: {
      200: { description: 'The updated settings.', schema: VendorSettings, example: exampleVendorSettings },
    },
    errors: ['external_id_taken'],
  }),
};
