import type { credentialRoutes } from '@aisle/contract/credentials';
import type { platformRoutes } from '@aisle/contract/platform';
import { type Scope, scopes } from '@aisle/contract/route';
import type { Config } from '../config.ts';
import { notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { createClient } from './create-client.ts';
import { type ClientRow, countClients, deleteClient, listClients } from './credential-queries.ts';
import { type Access, admitVendors } from './gate.ts';
import { grantAccessToken } from './grant-access-token.ts';

type Routes = Pick<typeof credentialRoutes, 'getAccessToken' | 'listClients' | 'createClient' | 'deleteClient'> &
  Pick<typeof platformRoutes, 'platformCreateClient'>;

/** A client has access to every vendor of the chain, so a token limited to some vendors may not manage clients. */
export function clientHandlers({ limits }: Config): Handlers<Routes, Access> {
  return {
    async getAccessToken({ db, body, headers, ip, limit }) {
      const request = { form: body, authorization: headers.authorization, ip };
      const token = await grantAccessToken(db, request, limits.accessTokenSeconds, limit);
      return {
        status: 200,
        body: { access_token: token, token_type: 'Bearer', expires_in: limits.accessTokenSeconds },
      };
    },

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
      const row = await transaction((tx) => deleteClient(tx, access.chainId, params.client_id));
      if (!row) throw notFound('client_not_found', params.client_id);
      return { status: 200, body: clientResponse(row) };
    },

    async platformCreateClient({ transaction, access, body }) {
      const row = await transaction((tx) => createClient(tx, access.chainId, body));
      return { status: 201, body: { ...clientResponse(row), client_secret: row.client_secret } };
    },
  };
}

function clientResponse(row: ClientRow) {
  return {
    client_id: row.client_id,
    name: row.name,
    scopes: scopes.filter((scope): scope is Scope => row.scopes.includes(scope)),
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
