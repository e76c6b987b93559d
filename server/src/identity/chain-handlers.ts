import type { identityRoutes } from '@aisle/contract/identity';
import type { platformRoutes } from '@aisle/contract/platform';
import type { Config } from '../config.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { paged, pageOf } from '../kernel/http/page.ts';
import { newId } from '../kernel/values/ids.ts';
import { changeSettings } from './change-settings.ts';
import { type Access, admitVendors } from './gate.ts';
import { limitsResponse } from './limits-response.ts';
import { type ChainRow, countChains, findChain, insertChain, listChains, updateChain } from './queries.ts';

type Routes = Pick<typeof identityRoutes, 'getLimits' | 'getSettings' | 'updateSettings'> &
  Pick<
    typeof platformRoutes,
    'platformCreateChain' | 'platformListChains' | 'platformGetChain' | 'platformUpdateChain'
  >;

export function chainHandlers(config: Config): Handlers<Routes, Access> {
  return {
    async getLimits() {
      return { status: 200, body: limitsResponse(config) };
    },

    async getSettings({ db, access }) {
      const chain = (await findChain(db, access.chainId)) as ChainRow;
      return { status: 200, body: settingsResponse(chain) };
    },

    async updateSettings({ transaction, access, body }) {
      admitVendors(access.actor, '*');
      const chain = await transaction((tx) => changeSettings(tx, access.chainId, body));
      return { status: 200, body: settingsResponse(chain) };
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
      const row = await transaction((tx) => updateChain(tx, access.chainId, body));
      return { status: 200, body: chainResponse(row) };
    },
  };
}

function settingsResponse({ name, profile, record_bodies, require_second_factor_for_owners }: ChainRow) {
  return { name, profile, record_bodies, require_second_factor_for_owners };
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
