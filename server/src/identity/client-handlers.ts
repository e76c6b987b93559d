import type { credentialRoutes } from '@aisle/contract/credentials';
import type { platformRoutes } from '@aisle/contract/platform';
import { type Scope, scopes } from '@aisle/contract/route';
import type { Config } from '../config.ts';
import { notFound } from '../kernel/failures/failure.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, type PageRequest, pageOf } from '../kernel/http/page.ts';
import { createClient } from './create-client.ts';
import { type ClientRow, deleteClient, listClients } from './credential-queries.ts';
import { type Access, admitVendors } from './gate.ts';
import { grantAccessToken } from './grant-access-token.ts';
import type { AttemptGuard } from './guard-attempts.ts';
import { decideScopes, rejectExpiringCreator } from './rules/own-access.ts';

type Routes = Pick<typeof credentialRoutes, 'getAccessToken' | 'listClients' | 'createClient' | 'deleteClient'> &
  Pick<typeof platformRoutes, 'platformCreateClient'>;

export function clientHandlers({ limits }: Config, guard: AttemptGuard): Handlers<Routes, Access> {
  return {
    async getAccessToken({ db, body, headers, network, limit, closeSignal, addToLog }) {
      const request = { form: body, authorization: headers.authorization, from: { network, signal: closeSignal() } };
      const { token, scopes: granted } = await grantAccessToken(db, request, {
        guard,
        seconds: limits.accessTokenSeconds,
        limit,
        recognize: ({ client_id }) => addToLog({ account: `client:${client_id}` }),
      });
      return {
        status: 200,
        body: {
          access_token: token,
          token_type: 'Bearer',
          expires_in: limits.accessTokenSeconds,
          scope: granted.join(' '),
        },
      };
    },

    async listClients({ db, access, query }) {
      const page = pageOf(query);
      const list = (part: PageRequest) => listClients(db, access.chainId, access.actor.vendorIds, part);
      const rows = await list(page);
      const total = (rows[0] ?? (await list(pageOf({ page_size: 1 })))[0])?.total ?? 0;
      return { status: 200, body: paged('clients', rows.map(clientResponse), total, page) };
    },

    async createClient({ transaction, access, body }) {
      // A credential must not create one with more access than it has itself.
      rejectExpiringCreator(access.actor, 'clients');
      const input = { ...body, scopes: decideScopes(access.actor, body.scopes) };
      const row = await transaction(async (tx) => {
        const created = await createClient(tx, access.chainId, input, limits.clients);
        // A failure rolls back the insert.
        admitVendors(access.actor, created.vendor_ids ?? '*');
        return created;
      });
      return { status: 201, body: { ...clientResponse(row), client_secret: row.client_secret } };
    },

    async deleteClient({ transaction, access, params }) {
      const row = await transaction((tx) => deleteClient(tx, access.chainId, access.actor.vendorIds, params.client_id));
      if (!row) throw notFound('client_not_found', params.client_id);
      return { status: 200, body: clientResponse(row) };
    },

    async platformCreateClient({ transaction, access, body }) {
      const row = await transaction((tx) => createClient(tx, access.chainId, body, limits.clients));
      return { status: 201, body: { ...clientResponse(row), client_secret: row.client_secret } };
    },
  };
}

function clientResponse(row: ClientRow) {
  return {
    client_id: row.client_id,
    name: row.name,
    scopes: scopes.filter((scope): scope is Scope => row.scopes.includes(scope)),
    vendor_ids: row.vendor_ids,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  };
}
