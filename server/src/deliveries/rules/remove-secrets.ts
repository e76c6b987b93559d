export const hidden = '[hidden]';

/** A shorter value would also match text that has nothing to do with it. */
const minLength = 4;

/** `plain` is the text in lower case and without escapes. */
export type Secret = { text: string; plain: string };

/** The parts of a request that a receiver could repeat but that must not be shown: its secret, and the query string. */
export function secretsIn(url: string, authorization: string | undefined): Secret[] {
  const { search, searchParams } = new URL(url);
  return [...credentialsIn(authorization), search.slice(1), ...searchParams.values()]
    .flatMap((secret) => [...new Set([secret, asBytes(secret)])])
    .filter((secret) => secret.length >= minLength)
    .toSorted((a, b) => b.length - a.length)
    .map((text) => ({ text, plain: unescape(text).plain }));
}

/**
 * Replaces the secrets in a text in which each character is one byte. Finds them also in another case and with the
 * escapes of JSON, HTML and URLs, because receivers repeat headers in error messages in all of these formats.
 */
export function removeSecrets(text: string, secrets: readonly Secret[]): string {
  if (secrets.length === 0 || text.length < minLength) return text;
  const rest = secrets.reduce((left, secret) => left.replaceAll(secret.text, hidden), text);
  return removeEscaped(rest, secrets);
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

function removeEscaped(text: string, secrets: readonly Secret[]): string {
  const { plain, starts } = unescape(text);
  const found = secrets.flatMap((secret) => findAll(plain, secret.plain)).toSorted((a, b) => a.from - b.from);
  let rest = '';
  let end = 0;
  for (const { from, to } of found) {
    const start = starts[from] ?? 0;
    if (start >= end) rest += text.slice(end, start) + hidden;
    end = Math.max(end, starts[to] ?? text.length);
  }
  return rest + text.slice(end);
}

function findAll(text: string, wanted: string): { from: number; to: number }[] {
  if (wanted.length < minLength) return [];
  const found = [];
  for (let from = text.indexOf(wanted); from >= 0; from = text.indexOf(wanted, from + wanted.length)) {
    found.push({ from, to: from + wanted.length });
  }
  return found;
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
    else if (hex !== undefined) plain += String.fromCharCode(Number.parseInt(hex, 16)).toLowerCase();
    else if (decimal !== undefined) plain += String.fromCharCode(Number(decimal)).toLowerCase();
    else plain += found;
    starts.push(index);
  }
  return { plain, starts };
}

const escapes =
  /\\+u00(?<hex>[0-9a-f]{2})|\\+|%(?<hex>[0-9a-f]{2})|&#x0{0,4}(?<hex>[0-9a-f]{2});|&#0{0,4}(?<decimal>\d{2,3});|&(?<name>amp|lt|gt|quot|apos);|[^]/g;

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
