/**
 * Decides how much of a receiver's response is stored with the attempt. The chain's developers can read it, so secrets
 * that the receiver repeats are removed. Almost all attempts succeed, and their responses are rarely of interest, so
 * much less of them is kept: the rows stay as small as they were before headers were stored.
 */
export type KeptResponse = { headers: Record<string, string>; body: Buffer; isCut: boolean };

export const hidden = '[hidden]';

const failureLimits = { headerCharacters: 4096, bodyBytes: 4096 };
const successLimits = { headerCharacters: 512, bodyBytes: 512 };
/** A shorter value would also match text that has nothing to do with it. */
const minSecretLength = 4;
const hiddenHeaders = new Set(['set-cookie', 'authorization']);

/** The longest response that has to be read: a secret at the end must be read as a whole, so that it is found. */
export const readBytes = failureLimits.bodyBytes + 2048;

export function keepResponse(
  received: { headers: Record<string, string | string[] | undefined>; beginning: Buffer; isCut: boolean },
  { isSuccess, secrets }: { isSuccess: boolean; secrets: readonly string[] },
): KeptResponse {
  const { headerCharacters, bodyBytes } = isSuccess ? successLimits : failureLimits;
  // Each byte is one character in latin1, so bytes that are not valid text stay as they are.
  const body = Buffer.from(removeSecrets(received.beginning.toString('latin1'), secrets), 'latin1');
  return {
    headers: keepHeaders(received.headers, headerCharacters, secrets),
    body: body.subarray(0, bodyBytes),
    isCut: received.isCut || body.length > bodyBytes,
  };
}

/** The parts of a request that a receiver could repeat but that must not be shown: its secret, and the query string. */
export function secretsIn(url: string, authorization: string | undefined): string[] {
  const { search, searchParams } = new URL(url);
  const credentials = authorization === undefined ? [] : [authorization, authorization.replace(/^\S+\s+/, '')];
  return [...credentials, search.slice(1), ...searchParams.values()]
    .filter((secret) => secret.length >= minSecretLength)
    .toSorted((a, b) => b.length - a.length);
}

function keepHeaders(
  headers: Record<string, string | string[] | undefined>,
  maxCharacters: number,
  secrets: readonly string[],
): Record<string, string> {
  const kept: [string, string][] = [];
  let left = maxCharacters;
  for (const [name, value = ''] of Object.entries(headers)) {
    const text = hiddenHeaders.has(name) ? hidden : removeSecrets([value].flat().join(', '), secrets);
    left -= name.length + text.length;
    if (left < 0) break;
    kept.push([name, text]);
  }
  return Object.fromEntries(kept);
}

function removeSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, hidden), text);
}
