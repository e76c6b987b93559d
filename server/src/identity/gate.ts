import type { Route, Scope } from '@aisle/contract/route';
import { Failure } from '../kernel/failure.ts';
import type { Caller, Gate } from '../kernel/http.ts';
import type { CredentialRow } from './credential-queries.ts';
import type { Lookups } from './lookups.ts';
import type { VendorRow } from './queries.ts';
import { isSameHash, isToken, readAuthorization, tokenHash } from './rules/token.ts';
import type { UseLog } from './use-log.ts';

/** Who calls and what it may reach. The token decides the chain. */
export type Actor = Caller & {
  kind: 'token' | 'client' | 'platform' | 'anybody';
  id: string;
  chainId: string;
  scopes: readonly string[];
  /** Null: every vendor of the chain. */
  vendorIds: readonly string[] | null;
};

/** What a handler may rely on: the chain (and vendor) of the path exist and are the caller's to reach. */
export type Access = {
  actor: Actor;
  chainId: string;
  profile: 'strict' | 'tolerant';
  /** The vendor of the path; reading it on a route without one is a mistake of ours. */
  vendor: VendorRow;
};

export function createGate(lookups: Lookups, uses: UseLog): Gate<Actor, Access> {
  return {
    async identify(route, authorization) {
      if (route.access === 'public') return anybody;
      const credential = await findLiveCredential(lookups, authorization);
      if (!credential) throw unauthorized();
      uses.note(credential);
      return actorOf(credential);
    },
    async admit(actor, route, params) {
      if (route.access === 'platform' && actor.kind !== 'platform') throw notPlatform();
      const chain = await admitChain(lookups, actor, route, params['chain_id']);
      admitScope(actor, route);
      const vendor = await admitVendor(lookups, actor, chain?.chain_id, params['vendor_id']);
      return {
        actor,
        chainId: chain?.chain_id ?? actor.chainId,
        profile: chain?.profile ?? 'strict',
        vendor: vendor as VendorRow,
      };
    },
  };
}

/** For what concerns these vendors, or all of the chain (`*`): a limited token may touch only its own. */
export function admitVendors(actor: Actor, vendorIds: readonly string[] | '*'): void {
  if (actor.vendorIds === null) return;
  const allowed = new Set(actor.vendorIds);
  if (vendorIds === '*')
    throw new Failure('forbidden', 'The token is limited to some vendors; this concerns them all.');
  if (vendorIds.every((id) => allowed.has(id))) return;
  throw new Failure('forbidden', 'The token is limited to other vendors than those named.');
}

const nobody = '00000000-0000-0000-0000-000000000000';
const anybody: Actor = {
  kind: 'anybody',
  id: '',
  subject: '',
  owner: nobody,
  reach: '*',
  chainId: nobody,
  scopes: [],
  vendorIds: null,
  logged: {},
};

async function findLiveCredential(lookups: Lookups, header: string | undefined): Promise<CredentialRow | undefined> {
  const token = readAuthorization(header);
  if (token === undefined || !isToken(token)) return undefined;
  const hash = tokenHash(token);
  const credential = await lookups.credential(hash);
  if (!credential || !isSameHash(credential.token_hash, hash)) return undefined;
  return credential.expires_at !== null && credential.expires_at.getTime() <= Date.now() ? undefined : credential;
}

function unauthorized(): Failure {
  return new Failure('invalid_token', undefined, { headers: { 'www-authenticate': 'Bearer' } });
}

function actorOf(credential: CredentialRow): Actor {
  const chainId = credential.chain_id ?? nobody;
  return {
    kind: credential.kind,
    id: credential.id,
    subject: `${credential.kind} ${credential.id}`,
    owner: chainId,
    reach: credential.vendor_ids?.toSorted().join(' ') ?? '*',
    chainId,
    scopes: credential.scopes,
    vendorIds: credential.vendor_ids,
    logged: { actor: `${credential.kind}:${credential.id.slice(0, 36)}`, chain_id: credential.chain_id ?? undefined },
  };
}

function notPlatform(): Failure {
  return new Failure('forbidden', 'The platform API takes platform tokens only.');
}

async function admitChain(lookups: Lookups, actor: Actor, route: Route, chainId: string | undefined) {
  if (chainId === undefined) return undefined;
  const isForeign = route.access !== 'platform' && chainId.toLowerCase() !== actor.chainId;
  const chain = isForeign ? undefined : await lookups.chain(chainId.toLowerCase());
  if (!chain) throw new Failure('chain_not_found');
  return chain;
}

function admitScope(actor: Actor, route: Route): void {
  if (route.access === 'public' || route.access === 'platform') return;
  const scope: Scope = route.access;
  if (!actor.scopes.includes(scope)) throw new Failure('forbidden', `The token lacks the scope ${scope}.`);
}

async function admitVendor(lookups: Lookups, actor: Actor, chainId: string | undefined, id: string | undefined) {
  if (chainId === undefined || id === undefined) return undefined;
  const vendor = await lookups.vendor(chainId, id);
  if (!vendor) throw new Failure('vendor_not_found');
  admitVendors(actor, [vendor.vendor_id]);
  return vendor;
}
