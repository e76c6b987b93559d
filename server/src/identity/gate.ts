import type { IncomingHttpHeaders } from 'node:http';
import { pickerScopes, type Route, type Scope, scopes } from '@aisle/contract/route';
import { Expired, Failure, notFound } from '../kernel/failures/failure.ts';
import type { Gate } from '../kernel/http/admission.ts';
import type { Caller } from '../kernel/http/call.ts';
import type { LinkSigner } from '../kernel/secrets/sign-links.ts';
import type { CredentialRow } from './credential-queries.ts';
import type { Expiring, Lookups } from './lookups.ts';
import type { VendorRow } from './queries.ts';
import { admitOperator, admitSession, type SessionOf } from './admit-session.ts';
import { type OwnOrigin, rejectCrossOrigin } from './cross-origin.ts';
import { includesAccess } from './rules/own-access.ts';
import { platformId, siteOf, type Site } from './rules/platform.ts';
import { mustSetUpSecondFactor } from './rules/second-factor.ts';
import { needsSecureCookie, readSessionCookie } from './rules/session-cookie.ts';
import { isSameHash, isToken, isUserToken, readAuthorization, tokenHash } from './rules/token.ts';
import type { LastUsed } from './last-used.ts';
import { chainGroup, identifyLink } from './signed-link.ts';
import type { SessionRow, TokenSessionRow } from './session-queries.ts';

/** The caller and what it can access. The token or session determines the chain. */
export type Actor = Caller & {
  /** An `operator` is a user of the console. */
  kind: 'token' | 'client' | 'platform' | 'user' | 'operator' | 'link' | 'anonymous';
  id: string;
  chainId: string;
  scopes: readonly string[];
  /** The name of the token or client. Empty for other callers. */
  name: string;
  /** Null means every vendor in the chain. */
  vendorIds: readonly string[] | null;
  /** Null for a token that does not expire. */
  expiresAt: Date | null;
  /** Present for a user signed in to the portal or the console. */
  session?: SessionOf;
};

/** Guarantees to handlers that the chain and vendor in the path exist and that the caller can access them. */
export type Access = {
  actor: Actor;
  chainId: string;
  profile: 'strict' | 'tolerant';
  /** Whether the chain's request log includes bodies. */
  recordsBodies: boolean;
  /** The vendor in the path. Undefined on routes without a vendor, whose handlers must not read this field. */
  vendor: VendorRow;
};

export function createGate(
  lookups: Lookups,
  lastUsed: LastUsed,
  links: OwnOrigin,
  signer: LinkSigner | undefined,
): Gate<Actor, Access> {
  return {
    resolvedParams: ['chain_id', 'vendor_id'],
    async identify(route, headers, { params, query }, recognize) {
      if (route.access === 'public') return anonymous;
      const isLink = route.isSigned && headers.authorization === undefined && query['signature'] !== undefined;
      if (signer && isLink) {
        const link = identifyLink(signer, route, params, query['signature'], Date.now());
        recognize(link);
        return link;
      }
      const isSession = headers.authorization === undefined && headers.cookie !== undefined;
      if (isSession) return identifyUser({ lookups, lastUsed, links }, route, headers, recognize);
      const credential = await getCredential(lookups, headers.authorization);
      const actor = 'session_hash' in credential ? userOf(credential, true) : actorOf(credential);
      recognize(actor);
      checkLive(credential);
      if (!('session_hash' in credential)) lastUsed.note(credential);
      return actor;
    },
    async admit(actor, route, params) {
      if (route.access === 'platform' && actor.kind !== 'platform' && actor.kind !== 'operator') throw notPlatform();
      if (route.access === 'console' && actor.kind !== 'operator') throw notOperator();
      if (route.access === 'session' && actor.session?.isViaToken !== false) throw notUser();
      const chain = await admitChain(lookups, actor, route, params['chain_id']);
      admitScope(actor, route);
      const vendor = await admitVendor(lookups, actor, chain?.chain_id, params['vendor_id']);
      return {
        actor,
        chainId: chain?.chain_id ?? actor.chainId,
        profile: chain?.profile ?? 'strict',
        recordsBodies: chain?.record_bodies ?? false,
        vendor: vendor as VendorRow,
      };
    },
    includes: (now, before) => includesAccess(now.actor, before.actor),
  };
}

/** Fails unless the caller can access all of these vendors; `*` means every vendor in the chain. */
export function admitVendors(actor: Pick<Actor, 'vendorIds'>, vendorIds: readonly string[] | '*'): void {
  if (actor.vendorIds === null) return;
  const allowed = new Set(actor.vendorIds);
  if (vendorIds === '*')
    throw new Failure('forbidden', 'Access is limited to some vendors; this requires access to all vendors.');
  if (vendorIds.every((id) => allowed.has(id))) return;
  throw new Failure('forbidden', 'Access is limited to other vendors.');
}

/** Use this only on routes for which the gate requires a session. */
export function sessionOf({ actor }: Pick<Access, 'actor'>): SessionOf {
  if (!actor.session) throw new Error('The caller does not have a session.');
  return actor.session;
}

const anonymous: Actor = {
  kind: 'anonymous',
  id: '',
  subject: '',
  owner: platformId,
  reach: '*',
  group: null,
  chainId: platformId,
  scopes: [],
  name: '',
  vendorIds: null,
  expiresAt: null,
  logged: {},
};

type Credential = (CredentialRow | TokenSessionRow) & Expiring;

async function getCredential(lookups: Lookups, header: string | undefined): Promise<Credential> {
  if (header === undefined || header.trim() === '')
    throw unauthorized('No token was sent; send Authorization: Bearer <token>.');
  const token = readAuthorization(header);
  if (token === undefined || !isToken(token)) {
    throw unauthorized(
      'The Authorization header does not contain a complete token; send Authorization: Bearer <token>.',
    );
  }
  const hash = tokenHash(token);
  const credential = await (isUserToken(token) ? lookups.tokenSession(hash) : lookups.credential(hash));
  if (!credential || !isSameHash(credential.token_hash, hash)) throw unknownToken();
  return credential;
}

function checkLive(credential: Credential): void {
  if ('is_revoked' in credential && credential.is_revoked) throw unknownToken();
  if (credential.expires_at !== null && credential.endsAt <= performance.now()) {
    throw unauthorized(`The token expired at ${credential.expires_at.toISOString()}.`, Expired);
  }
}

/** The message does not reveal whether the token ever existed. */
function unknownToken(): Failure {
  return unauthorized('The token is unknown or revoked.');
}

async function identifyUser(
  { lookups, lastUsed, links }: { lookups: Lookups; lastUsed: LastUsed; links: OwnOrigin },
  route: Route,
  headers: IncomingHttpHeaders,
  recognize: (user: Actor) => void,
): Promise<Actor> {
  const site: Site = isPlatformRoute(route) ? 'console' : 'portal';
  const cookie = readSessionCookie(headers.cookie, needsSecureCookie(links.origin, headers.host), site);
  if (cookie === undefined)
    throw unauthorized('Neither a token nor a session cookie was sent; sign in, or send a token.');
  const hash = isToken(cookie) ? tokenHash(cookie) : undefined;
  const session = hash && (await lookups.session(hash));
  if (!hash || !session || !isSameHash(session.session_hash, hash) || siteOf(session.chain_id) !== site) {
    throw unauthorized('The session is unknown or has ended; sign in again.');
  }
  const user = userOf(session, false);
  recognize(user);
  if (session.endsAt <= performance.now()) throw unauthorized('The session has expired; sign in again.', Expired);
  if (route.method !== 'GET') rejectCrossOrigin(headers, links);
  lastUsed.noteSession(session);
  return user;
}

function userOf(session: SessionRow, isViaToken: boolean): Actor {
  const { session_hash, chain_id, user_id, role, expires_at } = session;
  return {
    kind: siteOf(chain_id) === 'console' ? 'operator' : 'user',
    id: user_id,
    subject: `user ${user_id}`,
    owner: chain_id,
    reach: `user ${[user_id, ...(session.vendor_ids ?? [])].join(' ')}`,
    // Users have a separate limit, so that the chain's systems cannot lock them out of the portal.
    group: siteOf(chain_id) === 'console' ? null : { subject: `users ${chain_id}`, name: 'portal users' },
    chainId: chain_id,
    // The role decides what other users can do.
    scopes: role === 'PICKER' ? pickerScopes : scopes.filter((scope) => !isViaToken || scope !== 'users:manage'),
    name: '',
    vendorIds: session.vendor_ids,
    expiresAt: expires_at,
    session: {
      hash: session_hash,
      expiresAt: expires_at,
      role,
      mustSetUpSecondFactor: mustSetUpSecondFactor(session),
      mustChangePassword: session.must_change_password,
      isViaToken,
      onBehalf: session.on_behalf ?? null,
    },
    logged: {
      actor: `${session.on_behalf || siteOf(chain_id) === 'console' ? 'operator' : 'user'}:${user_id}`,
      chain_id: siteOf(chain_id) === 'console' ? undefined : chain_id,
    },
  };
}

function unauthorized(detail: string, Kind = Failure): Failure {
  return new Kind('invalid_token', detail, { headers: { 'www-authenticate': 'Bearer' } });
}

function actorOf(credential: CredentialRow): Actor {
  const chainId = credential.chain_id ?? platformId;
  return {
    kind: credential.kind,
    id: credential.id,
    subject: `${credential.kind} ${credential.id}`,
    owner: chainId,
    reach: credential.vendor_ids?.toSorted().join(' ') ?? '*',
    group: credential.chain_id === null ? null : chainGroup(chainId),
    chainId,
    scopes: credential.scopes,
    name: credential.kind === 'platform' ? '' : credential.name,
    vendorIds: credential.vendor_ids,
    expiresAt: credential.expires_at,
    logged: { actor: `${credential.kind}:${credential.id.slice(0, 36)}`, chain_id: credential.chain_id ?? undefined },
  };
}

function notPlatform(): Failure {
  return new Failure('forbidden', 'The platform API accepts only platform tokens and users of the console.');
}

function notOperator(): Failure {
  return new Failure('forbidden', 'This route is for users signed in to the console, not for tokens.');
}

function notUser(): Failure {
  return new Failure('forbidden', 'This route is for users signed in to the portal, not for tokens.');
}

async function admitChain(lookups: Lookups, actor: Actor, route: Route, chainId: string | undefined) {
  if (chainId === undefined) return admitOwnChain(lookups, actor, route);
  const id = chainId.toLowerCase();
  const isForeign = id === platformId ? !route.acceptsPlatform : !isPlatformRoute(route) && id !== actor.chainId;
  const chain = isForeign ? undefined : await lookups.chain(id);
  if (!chain) throw notFound('chain_not_found', chainId, null);
  return chain;
}

/** On a partner route without a chain in its path, the token or session determines the chain. */
async function admitOwnChain(lookups: Lookups, actor: Actor, route: Route) {
  if (route.access === 'public' || isPlatformRoute(route)) return undefined;
  if (actor.kind === 'platform') {
    throw new Failure('forbidden', 'A platform token does not belong to a chain; use the routes under /platform/v1.');
  }
  return lookups.chain(actor.chainId);
}

function admitScope(actor: Actor, route: Route): void {
  if (route.access === 'public') return;
  if (actor.kind === 'operator' && actor.session) return admitOperator(actor.session, route);
  if (route.access === 'platform' || route.access === 'console') return;
  if (actor.session) return admitSession(actor.session, route);
  if (route.access === 'session') return;
  if (route.access === 'any') return;
  const accepted: Scope[] = [route.access, ...(route.orScopes ?? [])];
  if (!accepted.some((scope) => actor.scopes.includes(scope)))
    throw new Failure('forbidden', `The token lacks the scope ${accepted.join(' or ')}.`);
  const missing = (route.andScopes ?? []).filter((scope) => !actor.scopes.includes(scope));
  if (missing.length > 0) {
    const are = missing.length === 1 ? 'is' : 'are';
    const lacking = `the ${missing.length === 1 ? 'scope' : 'scopes'} ${missing.join(' and ')}`;
    throw new Failure('forbidden', `The token lacks ${lacking}, which ${are} also required.`);
  }
}

/** The routes that a user of the console can call. They have nothing to do with the portal's cookie. */
function isPlatformRoute({ access }: Route): boolean {
  return access === 'platform' || access === 'console';
}

async function admitVendor(lookups: Lookups, actor: Actor, chainId: string | undefined, id: string | undefined) {
  if (chainId === undefined || id === undefined) return undefined;
  const vendor = await lookups.vendor(chainId, id);
  if (!vendor) throw notFound('vendor_not_found', id);
  admitVendors(actor, [vendor.vendor_id]);
  return vendor;
}
