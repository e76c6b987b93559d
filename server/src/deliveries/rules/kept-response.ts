import { hidden, removeSecrets, type Secret } from './remove-secrets.ts';

/**
 * Decides how much of a receiver's response is stored with the attempt. The chain's developers can read it, so secrets
 * that the receiver repeats are removed. Almost all attempts succeed, and their responses are rarely of interest, so
 * much less of them is kept: the rows stay as small as they were before headers were stored.
 */
export type KeptResponse = { headers: Record<string, string>; body: Buffer; isCut: boolean };

const failureLimits = { headerCharacters: 4096, bodyBytes: 4096 };
const successLimits = { headerCharacters: 512, bodyBytes: 512 };
const hiddenHeaders = new Set([
  'set-cookie',
  'set-cookie2',
  'cookie',
  'authorization',
  'proxy-authorization',
  'x-api-key',
]);

/** The longest response that has to be read: a secret at the end must be read as a whole, so that it is found. */
export const readBytes = failureLimits.bodyBytes + 2048;

export function keepResponse(
  received: { headers: Record<string, string | string[] | undefined>; beginning: Buffer; isCut: boolean },
  { isSuccess, secrets }: { isSuccess: boolean; secrets: readonly Secret[] },
): KeptResponse {
  const { headerCharacters, bodyBytes } = isSuccess ? successLimits : failureLimits;
  // Each byte is one character in latin1, so bytes that are not valid text stay as they are.
  const body =
    secrets.length === 0
      ? received.beginning
      : Buffer.from(removeSecrets(received.beginning.toString('latin1'), secrets), 'latin1');
  return {
    headers: keepHeaders(received.headers, headerCharacters, secrets),
    body: body.subarray(0, bodyBytes),
    isCut: received.isCut || body.length > bodyBytes,
  };
}

function keepHeaders(
  headers: Record<string, string | string[] | undefined>,
  maxCharacters: number,
  secrets: readonly Secret[],
): Record<string, string> {
  const kept: [string, string][] = [];
  let left = maxCharacters;
  for (const [name, value = ''] of Object.entries(headers)) {
    const given = typeof value === 'string' ? value : value.join(', ');
    const text = hiddenHeaders.has(name) ? hidden : removeSecrets(given, secrets);
    left -= name.length + text.length;
    if (left < 0) break;
    kept.push([name, text]);
  }
  return Object.fromEntries(kept);
}
