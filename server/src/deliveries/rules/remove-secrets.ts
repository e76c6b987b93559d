export const hidden = '[hidden]';

/** A shorter value would also match text that has nothing to do with it. */
const minLength = 4;

/** `plain` is the text in lower case and without escapes. */
export type Secret = { text: string; plain: string };

/** The parts of a request that a receiver could repeat but that must not be shown: its secret, and the query string. */
export function secretsIn(url: string, authorization: string | undefined): Secret[] {
  const { search, searchParams } = new URL(url);
  const secrets = [...credentialsIn(authorization), search.slice(1), ...searchParams.values()];
  return [...new Set(secrets.flatMap((secret) => [secret, asBytes(secret)]))]
    .filter((secret) => secret.length >= minLength)
    .map((text) => ({ text, plain: unescape(text).plain }));
}

/**
 * Replaces the secrets in a text in which each character is one byte. Finds them also in another case and with the
 * escapes of JSON, HTML and URLs, because receivers repeat headers in error messages in all of these formats.
 *
 * All are searched for in the text as received. If one were replaced after the other, the text could grow with each of
 * them: both the URL with hundreds of parameters and the text can be hostile.
 */
export function removeSecrets(text: string, secrets: readonly Secret[]): string {
  if (secrets.length === 0 || text.length < minLength) return text;
  const isSecret = new Uint8Array(text.length);
  const { plain, starts } = unescape(text);
  for (const secret of secrets) {
    for (const { from, to } of findAll(text, secret.text)) isSecret.fill(1, from, to);
    for (const { from, to } of findAll(plain, secret.plain)) isSecret.fill(1, starts[from], starts[to]);
  }
  return hideMarked(text, isSecret);
}

/** The whole header, its credentials and, for Basic authentication, the user with the password, and the password. */
function credentialsIn(authorization: string | undefined): string[] {
  if (authorization === undefined) return [];
  const credentials = authorization.replace(/^\S+\s+/, '');
  if (!/^basic\s/i.test(authorization)) return [authorization, credentials];
  const decoded = Buffer.from(credentials, 'base64').toString('utf8');
  return [authorization, credentials, decoded, decoded.slice(decoded.indexOf(':') + 1)];
}

/** The UTF-8 form of the text, with one character per byte. */
function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function hideMarked(text: string, isSecret: Uint8Array): string {
  let rest = '';
  for (let at = 0; at < text.length; ) {
    const start = isSecret.indexOf(1, at);
    if (start < 0) return rest + text.slice(at);
    const end = isSecret.indexOf(0, start);
    rest += text.slice(at, start) + hidden;
    at = end < 0 ? text.length : end;
  }
  return rest;
}

function* findAll(text: string, wanted: string): Generator<{ from: number; to: number }> {
  if (wanted.length < minLength) return;
  for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + wanted.length)) {
    yield { from, to: from + wanted.length };
  }
}

/**
 * The text in lower case without escapes, and where each of its characters starts. Takes linear time, because both the
 * text and the secret can be hostile.
 */
function unescape(text: string): { plain: string; starts: number[] } {
  const starts: number[] = [];
  let plain = '';
  for (const { 0: found, index, groups = {} } of text.toLowerCase().matchAll(escapes)) {
    const { hex, decimal, name } = groups;
    if (found.startsWith('\\') && hex === undefined) continue;
    if (name !== undefined) plain += named[name] ?? '';
    else if (hex !== undefined) plain += lowerCharacter(Number.parseInt(hex, 16));
    else if (decimal !== undefined) plain += lowerCharacter(Number(decimal));
    else plain += found;
    starts.push(index);
  }
  return { plain, starts };
}

/** Always one character. `İ` (304) in lower case would be two, and the characters after it would be in another place. */
function lowerCharacter(code: number): string {
  const character = String.fromCharCode(code);
  const lower = character.toLowerCase();
  return lower.length === 1 ? lower : character;
}

const escapes =
  /\\+u00(?<hex>[0-9a-f]{2})|\\+|%(?<hex>[0-9a-f]{2})|&#x0{0,4}(?<hex>[0-9a-f]{2});|&#0{0,4}(?<decimal>\d{2,3});|&(?<name>amp|lt|gt|quot|apos);|[^]/g;

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
