import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import type { TestAisle } from './aisle.ts';

export type TestUser = {
  user_id: string;
  email: string;
  password: string;
  session: string;
  site?: 'portal' | 'console';
};
type Calling = Pick<TestAisle, 'call'>;

/** Returns the code that an authenticator app shows at this time, by default now. */
export function codeFor(secret: string, secondsFromNow = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + secondsFromNow * 1000 });
}

/** Starts setting up a second factor and returns its secret. */
export async function startSecondFactor(aisle: Calling, { password, session, site }: TestUser): Promise<string> {
  const started = await aisle.call('POST', pathOf(site), { token: session, body: { password } });
  assert.equal(started.status, 201, started.text);
  return started.body.secret;
}

/** Turns on the user's second factor. The current code cannot be used again; the next one (30 s from now) can. */
export async function setUpSecondFactor(
  aisle: Calling,
  user: TestUser,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const secret = await startSecondFactor(aisle, user);
  const body = { code: codeFor(secret) };
  const confirmed = await aisle.call('POST', `${pathOf(user.site)}/confirm`, { token: user.session, body });
  assert.equal(confirmed.status, 200, confirmed.text);
  return { secret, recoveryCodes: confirmed.body.recovery_codes };
}

function pathOf(site: TestUser['site']): string {
  return site === 'console' ? '/platform/v1/second-factor' : '/v2/portal/second-factor';
}
