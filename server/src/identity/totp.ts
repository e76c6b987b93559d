import { Secret, TOTP } from 'otpauth';
import { isAppCode } from './rules/second-factor.ts';

/** The URL that an authenticator app reads from a QR code. */
export function secondFactorUrl(secret: string, email: string, chainName: string): string {
  return new TOTP({
    ...settings,
    secret: Secret.fromBase32(secret),
    issuer: `Aisle ${chainName}`,
    label: email,
  }).toString();
}

/**
 * The time step that the code belongs to, or undefined if the code is wrong. The previous and the next step are accepted
 * too, because the device's clock can be wrong by some seconds and typing takes time.
 */
export function findStep(secret: string, code: string, atMs: number): number | undefined {
  // `validate` throws if six characters take more than six bytes.
  if (!isAppCode(code)) return undefined;
  const totp = new TOTP({ ...settings, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: atMs, window: 1 });
  return delta === null ? undefined : totp.counter({ timestamp: atMs }) + delta;
}

/** The most compatible settings: some authenticator apps ignore all others. */
const settings = { algorithm: 'SHA1', digits: 6, period: 30 };
