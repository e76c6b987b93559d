import type { credentialRoutes } from '@aisle/contract/credentials';
import type { platformRoutes } from '@aisle/contract/platform';
import { type Scope, scopes } from '@aisle/contract/route';
import type { Config } from '../config.ts';
import { notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, type PageRequest, pageOf } from '../kernel/http/page.ts';
import { createToken } from './create-token.ts';
import { listTokens, revokeToken, type TokenRow } from './credential-queries.ts';
import { type Access, admitVendors } from './gate.ts';
import { decideExpiry, decideScopes } from './rules/own-access.ts';

type Routes = Pick<typeof credentialRoutes, 'listTokens' | 'createToken' | 'deleteToken'> &
  Pick<typeof platformRoutes, 'platformCreateToken'>;

export function tokenHandlers({ limits }: Config): Handlers<Routes, Access> {
  return {
    async listTokens({ db, access, query }) {
      const page = pageOf(query);
      const list = (part: PageRequest) => listTokens(db, access.chainId, access.actor.vendorIds, part);
      const rows = await list(page);
      const total = (rows[0] ?? (await list(pageOf({ page_size: 1 })))[0])?.total ?? 0;
      return { status: 200, body: paged('tokens', rows.map(tokenResponse), total, page) };
    },

    async createToken({ transaction, access, body }) {
      // A credential must not create one with more access than it has itself.
      const { actor } = access;
      const { expires_at, ...rest } = body;
      const input = { ...rest, scopes: decideScopes(actor, body.scopes), ...decideExpiry(actor, expires_at) };
      const row = await transaction(async (tx) => {
        const created = await createToken(tx, access.chainId, input, limits.apiTokens);
        // A failure rolls back the insert.
        admitVendors(actor, created.vendor_ids ?? '*');
        return created;
      });
      return { status: 201, body: { ...tokenResponse(row), token: row.token } };
    },

    async deleteToken({ transaction, access, params }) {
      const row = await transaction((tx) => revokeToken(tx, access.chainId, access.actor.vendorIds, params.token_id));
      if (!row) throw notFound('token_not_found', params.token_id);
      return { status: 200, body: tokenResponse(row) };
    },

    async platformCreateToken({ transaction, access, body }) {
      const row = await transaction((tx) => createToken(tx, access.chainId, body, limits.apiTokens));
      return { status: 201, body: { ...tokenResponse(row), token: row.token } };
    },
  };
}

function tokenResponse(row: TokenRow) {
  return {
    token_id: row.token_id,
    name: row.name,
    prefix: row.prefix,
    scopes: scopes.filter((scope): scope is Scope => row.scopes.includes(scope)),
    vendor_ids: row.vendor_ids,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}
