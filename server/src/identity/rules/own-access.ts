import { defaultScopes, type Scope, scopes } from '@aisle/contract/route';
import { Failure } from '../../kernel/failures/failure.ts';
import { parseTime } from '../../kernel/values/time.ts';

/** The caller that creates a token, client or user. */
type Creator = {
  kind: string;
  scopes: readonly string[];
  expiresAt: Date | null;
  session?: { isViaToken: boolean };
};
type Expiry = { expires_at?: string };

/**
 * A credential can grant only scopes that it has itself. Returns the scopes to grant, or fails. For a signed-in user,
 * the gate has already required the role OWNER, which has every scope.
 */
export function decideScopes(creator: Creator, requested: readonly Scope[] | undefined): Scope[] {
  const own = scopes.filter((scope) => creator.scopes.includes(scope));
  const granted = requested ?? defaultScopes.filter((scope) => own.includes(scope));
  const exceeding = [...new Set(granted.filter((scope) => !own.includes(scope)))];
  if (exceeding.length > 0) {
    const noun = exceeding.length === 1 ? 'scope' : 'scopes';
    const problem = `The token does not have the ${noun} ${exceeding.join(', ')}, so it cannot grant ${exceeding.length === 1 ? 'it' : 'them'}.`;
    throw new Failure('forbidden', `${problem} It has: ${own.join(', ')}.`);
  }
  if (granted.length > 0) return [...granted];
  const problem = 'The token has none of the scopes that are granted by default';
  throw new Failure('forbidden', `${problem}; send scopes with one or more of: ${own.join(', ')}.`);
}

/** A token that expires can create only tokens that expire at the same time or earlier. */
export function decideExpiry(creator: Creator, requested: string | undefined): Expiry {
  const latest = expiryOf(creator);
  if (latest === null) return requested === undefined ? {} : { expires_at: requested };
  if (requested === undefined) return { expires_at: latest.toISOString() };
  const time = parseTime(requested);
  // Text that is not a time is rejected later.
  if (time === null || time <= latest) return { expires_at: requested };
  const problem = `The token expires at ${latest.toISOString()}, so it cannot create one that expires later`;
  throw new Failure('forbidden', `${problem} (expires_at).`);
}

/** A token that expires cannot create permanent access. `noun` is what the creator wants to create or give access to. */
export function rejectExpiringCreator(creator: Creator, noun: string): void {
  const latest = expiryOf(creator);
  if (latest === null) return;
  const problem = `The token expires at ${latest.toISOString()}, and ${noun} do not expire`;
  throw new Failure('forbidden', `${problem}; use a token that does not expire, or sign in as an owner.`);
}

type Reach = { scopes: readonly string[]; vendorIds: readonly string[] | null };

/** Whether a caller with the access `now` can access everything that it could before. Null means every vendor. */
export function includesAccess(now: Reach, before: Reach): boolean {
  const { vendorIds } = now;
  const hasVendors = vendorIds === null || (before.vendorIds?.every((id) => vendorIds.includes(id)) ?? false);
  return hasVendors && before.scopes.every((scope) => now.scopes.includes(scope));
}

/**
 * Access tokens and sessions are renewed for as long as their client or user exists, so only API tokens and the tokens
 * of sessions count.
 */
function expiryOf({ kind, expiresAt, session }: Creator): Date | null {
  return kind === 'token' || session?.isViaToken ? expiresAt : null;
}
