import type { ChainRow } from './queries.ts';
import { mustSetUpSecondFactor } from './rules/second-factor.ts';
import type { Site } from './rules/platform.ts';
import { needsSecureCookie, sessionCookie } from './rules/session-cookie.ts';
import type { UserRow } from './user-queries.ts';
import { platformUserResponse, userResponse } from './user-response.ts';

export function sessionResponse(user: UserRow, chain: ChainRow, expiresAt: Date) {
  const { chain_id, name, profile } = chain;
  return {
    user: userResponse(user),
    chain: { chain_id, name, profile },
    expires_at: expiresAt.toISOString(),
    must_set_up_second_factor: mustSetUpSecondFactor({ ...chain, ...user }),
    must_change_password: user.must_change_password,
  };
}

/** A user of the console who acts on behalf of the chain. What the chain requires of its own users does not apply. */
export function onBehalfResponse(user: UserRow, chain: ChainRow, expiresAt: Date) {
  const session = sessionResponse(user, chain, expiresAt);
  return { ...session, is_on_behalf: true, must_set_up_second_factor: false, must_change_password: false };
}

export function consoleSessionResponse(user: UserRow, expiresAt: Date) {
  return {
    user: platformUserResponse(user),
    expires_at: expiresAt.toISOString(),
    must_change_password: user.must_change_password,
  };
}

/** Sets the session cookie, or deletes it if `seconds` is 0. */
export function cookieHeaders(
  origin: string,
  value: string,
  seconds: number,
  host: string | undefined,
  site: Site,
): Record<string, string> {
  const isSecure = needsSecureCookie(origin, host);
  return { 'set-cookie': sessionCookie(value, seconds, isSecure, site), 'cache-control': 'no-store' };
}
