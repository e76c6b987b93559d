import type { identityRoutes } from '@aisle/contract/identity';
import type { onboardingRoutes } from '@aisle/contract/onboarding';
import type { platformRoutes } from '@aisle/contract/platform';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import type { Access } from './gate.ts';
import { countVendors, listVendors, type VendorRow } from './queries.ts';
import { changeVendor, createVendor, createVendors } from './save-vendor.ts';

type Routes = Pick<typeof identityRoutes, 'listVendors' | 'getVendorSettings' | 'updateVendorSettings'> &
  Pick<
    typeof platformRoutes,
    'platformCreateVendor' | 'platformListVendors' | 'platformGetVendor' | 'platformUpdateVendor'
  > &
  Pick<typeof onboardingRoutes, 'platformCreateVendors'>;

export function vendorHandlers(): Handlers<Routes, Access> {
  return {
    async listVendors({ db, access, query }) {
      const page = pageOf(query);
      const only = access.actor.vendorIds && [...access.actor.vendorIds];
      const rows = await listVendors(db, access.chainId, only, page);
      const total = rows[0]?.total ?? (await countVendors(db, access.chainId, only));
      return { status: 200, body: paged('vendors', rows.map(storeResponse), total, page) };
    },

    async getVendorSettings({ access }) {
      return { status: 200, body: settingsResponse(access.vendor) };
    },

    async updateVendorSettings({ transaction, access, body }) {
      const vendor = await transaction((tx) => changeVendor(tx, access.chainId, access.vendor.vendor_id, body));
      return { status: 200, body: settingsResponse(vendor) };
    },

    async platformCreateVendor({ transaction, access, body }) {
      const row = await transaction((tx) => createVendor(tx, access.chainId, body));
      return { status: 201, body: vendorResponse(row) };
    },

    async platformCreateVendors({ transaction, access, body }) {
      const rows = await transaction((tx) => createVendors(tx, access.chainId, body.vendors));
      const results = rows.map((row, index) => ({
        index,
        result: row ? ('CREATED' as const) : ('EXISTS' as const),
        vendor_id: row?.vendor_id ?? null,
      }));
      return { status: 200, body: { results } };
    },

    async platformListVendors({ db, access, query }) {
      const page = pageOf(query);
      const rows = await listVendors(db, access.chainId, null, page);
      const total = rows[0]?.total ?? (await countVendors(db, access.chainId, null));
      return { status: 200, body: paged('vendors', rows.map(vendorResponse), total, page) };
    },

    async platformGetVendor({ access }) {
      return { status: 200, body: vendorResponse(access.vendor) };
    },

    async platformUpdateVendor({ transaction, access, body }) {
      const row = await transaction((tx) => changeVendor(tx, access.chainId, access.vendor.vendor_id, body));
      return { status: 200, body: vendorResponse(row) };
    },
  };
}

function storeResponse(row: VendorRow) {
  const { vendor_id, external_id, name, currency, country_code, locale, timezone, transport_type, test } = row;
  return { vendor_id, external_id, name, currency, country_code, locale, timezone, transport_type, test };
}

function optionsResponse(row: VendorRow) {
  const { sales_buffer, unit_overpick, weighted_replacement, integration_type, integration_enabled, test } = row;
  const weight_tolerance = Number(row.weight_tolerance);
  return {
    sales_buffer,
    unit_overpick,
    weight_tolerance,
    weighted_replacement,
    integration_type,
    integration_enabled,
    test,
  };
}

function settingsResponse(row: VendorRow) {
  return { ...storeResponse(row), ...optionsResponse(row) };
}

function vendorResponse(row: VendorRow) {
  const { test: _, ...store } = storeResponse(row);
  return {
    ...store,
    chain_id: row.chain_id,
    settings: optionsResponse(row),
    created_at: row.created_at.toISOString(),
  };
}
