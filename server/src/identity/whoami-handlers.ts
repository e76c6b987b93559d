import type { whoamiRoutes } from '@aisle/contract/whoami';
import { type Scope, scopes } from '@aisle/contract/route';
import type { Config } from '../config.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { findCredentialName } from './credential-queries.ts';
import type { Access, Actor } from './gate.ts';
import { limitsResponse } from './limits-response.ts';
import { type ChainRow, findChain } from './queries.ts';
import { scopesOf } from './rules/role.ts';

export function whoamiHandlers(config: Config): Handlers<typeof whoamiRoutes, Access> {
  return {
    async whoami({ db, access }) {
      const { actor, chainId } = access;
      const chain = (await findChain(db, chainId)) as ChainRow;
      return {
        status: 200,
        body: {
          kind: kindOf(actor),
          id: actor.id,
          name: (await findCredentialName(db, chainId, actor.id)) ?? '',
          chain: chainSummary(chain),
          scopes: grantedScopes(actor),
          role: actor.session?.role ?? null,
          vendor_ids: actor.vendorIds && [...actor.vendorIds],
          expires_at: actor.expiresAt?.toISOString() ?? null,
          limits: limitsResponse(config),
        },
      };
    },
  };
}

function chainSummary({ chain_id, name, profile }: ChainRow) {
  return { chain_id, name, profile };
}

function kindOf({ kind }: Actor): 'TOKEN' | 'CLIENT' | 'USER' {
  if (kind === 'user') return 'USER';
  return kind === 'client' ? 'CLIENT' : 'TOKEN';
}

function grantedScopes({ session, scopes: granted }: Actor): Scope[] {
  const allowed = scopes.filter((scope) => granted.includes(scope));
  return session ? scopesOf(session.role).filter((scope) => allowed.includes(scope)) : allowed;
}
