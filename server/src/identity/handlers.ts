import type { identityRoutes } from '@aisle/contract/identity';
import { type platformRoutes } from '@aisle/contract/platform';
import { type Scope, scopes } from '@aisle/contract/route';
import type { Config } from '../config.ts';
import { Failure } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { newId } from '../kernel/values/ids.ts';
import { paged, type PageRequest, pageOf } from '../kernel/http/page.ts';
import { createClient } from './create-client.ts';
import { createToken } from './create-token.ts';
import {
  type ClientRow,
  countClients,
  deleteClient,
  listClients,
  listTokens,
  revokeToken,
  type TokenRow,
} from './credential-queries.ts';
import { type Access, admitVendors } from './gate.ts';
import { grantAccessToken } from './grant-access-token.ts';
import { announceChange, type Lookups } from './lookups.ts';
import {
  type ChainRow,
  countChains,
  countVendors,
  findChain,
  insertChain,
  listChains,
  listVendors,
  updateChain,
  type VendorRow,
} from './queries.ts';
import { changeVendor, createVendor } from './save-vendor.ts';

type Routes = typeof identityRoutes & Omit<typeof platformRoutes, 'platformPutCategories' | 'platformCreateUser'>;

export function identityHandlers(config: Config, lookups: Lookups): Handlers<Routes, Access> {
  const { limits } = config;
  return {
    async getAccessToken({ db, body, headers, ip, limit }) {
      const request = { form: body, authorization: headers.authorization, ip };
      const token = await grantAccessToken(db, request, limits.accessTokenSeconds, limit);
      return {
        status: 200,
        body: { access_token: token, token_type: 'Bearer', expires_in: limits.accessTokenSeconds },
      };
    },

    async getLimits() {
      return {
        status: 200,
        body: {
          page_size_default: 20,
          page_size_maximum: 500,
          catalog_items_per_request: limits.catalogItems,
          catalog_bytes_per_request: limits.catalogBytes,
          creation_offers_per_request: limits.creationOffers,
          orders_readable_days: limits.readableDays,
          order_range_days: limits.readableDays,
          promotion_pairs_per_request: limits.promotionPairs,
          download_days: limits.downloadDays,
          api_tokens_per_chain: limits.apiTokens,
          access_token_seconds: limits.accessTokenSeconds,
          session_hours: limits.sessionHours,
          idempotency_hours: limits.idempotencyHours,
          event_days: limits.eventDays,
          attempt_days: limits.attemptDays,
          rate_limits_per_minute: config.rateLimits.perMinute,
        },
      };
    },

    async listVendors({ db, access, query }) {
      const page = pageOf(query);
      const only = access.actor.vendorIds && [...access.actor.vendorIds];
      const rows = await listVendors(db, access.chainId, only, page);
      const total = rows[0]?.total ?? (await countVendors(db, access.chainId, only));
      return { status: 200, body: paged('vendors', rows.map(storeResponse), total, page) };
    },

    async getSettings({ db, access }) {
      const chain = (await findChain(db, access.chainId)) as ChainRow;
      return { status: 200, body: { name: chain.name, profile: chain.profile } };
    },

    async updateSettings({ transaction, access, body }) {
      admitVendors(access.actor, '*');
      const chain = await transaction(async (tx) => {
        await announceChange(tx, lookups);
        return updateChain(tx, access.chainId, body);
      });
      return { status: 200, body: { name: chain.name, profile: chain.profile } };
    },

    async getVendorSettings({ access }) {
      return { status: 200, body: settingsResponse(access.vendor) };
    },

    async updateVendorSettings({ transaction, access, body }) {
      const vendor = await transaction(async (tx) => {
        await announceChange(tx, lookups);
        return changeVendor(tx, access.chainId, access.vendor.vendor_id, body);
      });
      return { status: 200, body: settingsResponse(vendor) };
    },

    async listTokens({ db, access, query }) {
      const page = pageOf(query);
      const list = (part: PageRequest) => listTokens(db, access.chainId, access.actor.vendorIds, part);
      const rows = await list(page);
      const total = (rows[0] ?? (await list(pageOf({ page_size: 1 })))[0])?.total ?? 0;
      return { status: 200, body: paged('tokens', rows.map(tokenResponse), total, page) };
    },

    async createToken({ transaction, access, body }) {
      const row = await transaction(async (tx) => {
        const created = await createToken(tx, access.chainId, body, limits.apiTokens);
        // Nobody may make a token that reaches further than its own; failing here undoes it.
        admitVendors(access.actor, created.vendor_ids ?? '*');
        return created;
      });
      return { status: 201, body: { ...tokenResponse(row), token: row.token } };
    },

    async deleteToken({ transaction, access, params }) {
      const row = await transaction(async (tx) => {
        await announceChange(tx, lookups);
        return revokeToken(tx, access.chainId, access.actor.vendorIds, params.token_id);
      });
      if (!row) throw new Failure('token_not_found');
      return { status: 200, body: tokenResponse(row) };
    },

    // A client reaches every vendor of the chain, so its routes are closed to tokens that do not.
    async listClients({ db, access, query }) {
      admitVendors(access.actor, '*');
      const page = pageOf(query);
      const rows = await listClients(db, access.chainId, page);
      const total = rows[0]?.total ?? (await countClients(db, access.chainId));
      return { status: 200, body: paged('clients', rows.map(clientResponse), total, page) };
    },

    async createClient({ transaction, access, body }) {
      admitVendors(access.actor, '*');
      const row = await transaction((tx) => createClient(tx, access.chainId, body));
      return { status: 201, body: { ...clientResponse(row), client_secret: row.client_secret } };
    },

    async deleteClient({ transaction, access, params }) {
      admitVendors(access.actor, '*');
      const row = await transaction(async (tx) => {
        await announceChange(tx, lookups);
        return deleteClient(tx, access.chainId, params.client_id);
      });
      if (!row) throw new Failure('client_not_found');
      return { status: 200, body: clientResponse(row) };
    },

    async platformCreateChain({ transaction, body }) {
      const chain = { name: body.name, profile: body.profile ?? 'strict', country_code: body.country_code ?? null };
      const row = await transaction((tx) => insertChain(tx, newId(), chain));
      return { status: 201, body: chainResponse(row) };
    },

    async platformListChains({ db, query }) {
      const page = pageOf(query);
      const rows = await listChains(db, page);
      const total = rows[0]?.total ?? (await countChains(db));
      return { status: 200, body: paged('chains', rows.map(chainResponse), total, page) };
    },

    async platformGetChain({ db, access }) {
      return { status: 200, body: chainResponse((await findChain(db, access.chainId)) as ChainRow) };
    },

    async platformUpdateChain({ transaction, access, body }) {
      const row = await transaction(async (tx) => {
        await announceChange(tx, lookups);
        return updateChain(tx, access.chainId, body);
      });
      return { status: 200, body: chainResponse(row) };
    },

    async platformCreateVendor({ transaction, access, body }) {
      const row = await transaction(async (tx) => {
        await announceChange(tx, lookups);
        return createVendor(tx, access.chainId, body);
      });
      return { status: 201, body: vendorResponse(row) };
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
      const row = await transaction(async (tx) => {
        await announceChange(tx, lookups);
        return changeVendor(tx, access.chainId, access.vendor.vendor_id, body);
      });
      return { status: 200, body: vendorResponse(row) };
    },

    async platformCreateToken({ transaction, access, body }) {
      const row = await transaction((tx) => createToken(tx, access.chainId, body, limits.apiTokens));
      return { status: 201, body: { ...tokenResponse(row), token: row.token } };
    },

    async platformCreateClient({ transaction, access, body }) {
      const row = await transaction((tx) => createClient(tx, access.chainId, body));
      return { status: 201, body: { ...clientResponse(row), client_secret: row.client_secret } };
    },
  };
}

function chainResponse(row: ChainRow) {
  return {
    chain_id: row.chain_id,
    name: row.name,
    profile: row.profile,
    country_code: row.country_code,
    created_at: row.created_at.toISOString(),
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

function tokenResponse(row: TokenRow) {
  return {
    token_id: row.token_id,
    name: row.name,
    prefix: row.prefix,
    scopes: knownScopes(row.scopes),
    vendor_ids: row.vendor_ids,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}

function clientResponse(row: ClientRow) {
  return {
    client_id: row.client_id,
    name: row.name,
    scopes: knownScopes(row.scopes),
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}

/** In the order of the contract. */
function knownScopes(given: string[]): Scope[] {
  return scopes.filter((scope) => given.includes(scope));
}
