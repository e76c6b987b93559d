import { redactSecrets, removed } from './redact-secrets.ts';

/**
 * Removes secrets from the text that the request log stores: the values of fields and query parameters whose names
 * indicate a secret, at any depth, and credentials in URLs.
 */

/** Redacts a JSON body. A truncated or malformed body is searched for field names instead of being parsed. */
export function redactBody(text: string): string {
  const json = redactJson(text);
  if (json === undefined) return redactUrls(redactNames(text.replace(escapedLetter, decodeLetter)));
  // Names of fields can contain URLs, too. A match that spans an escape sequence would leave malformed JSON.
  const redacted = redactUrls(json);
  return redacted === json || isJson(redacted) ? redacted : json;
}

/** A letter, a digit, `-` or `_` that is escaped, as in `"secr\u0065t"`. */
const escapedLetter = /\\u00(2d|3\d|[46][1-9a-f]|5[0-9af]|7[0-9a])/gi;

function decodeLetter(_escaped: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Names are decoded before they are compared, because the server decodes them too. */
export function redactQuery(query: string): string {
  const parts = query.split('&').map((part) => {
    const [name = '', ...value] = part.split('=');
    return value.length > 0 && secretName.test(decode(name).replace(endingBrackets, '')) ? `${name}=${removed}` : part;
  });
  return redactUrls(parts.join('&'));
}

/** Without the lookbehind, the time for a name with many brackets would be quadratic. */
const endingBrackets = /(?<!\])\]+$/;

function decode(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}

function redactJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) => {
      if (value !== null && isSecret(name, value)) return removed;
      // A string can contain JSON.
      return typeof value === 'string' ? redactUrls(redactNames(value)) : value;
    });
  } catch {
    // Malformed, or nested too deeply.
    return undefined;
  }
}

/**
 * True for `token` and `client_secret`, but not for `token_id`, `"must_change_password": true` or
 * `previous_secret_expires_at`.
 */
function isSecret(name: string, value: unknown): boolean {
  return secretName.test(name) && typeof value !== 'boolean';
}

const words =
  'passwords?|password_confirmation|passwd|passphrase|pwd|secrets?|tokens?|jwt|cookies?|credentials?|signature|authorization|(?:api|private|secret|access)[-_]?key';
const secretName = new RegExp(`(?:${words})$`, 'i');

/** Matches `"name": "value"`, even if the value is cut off. An object or array is matched to the end of the text. */
const namedValue = new RegExp(
  `("(?!has_)[^"\\\\]*(?:${words})"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)|([[{])[^]*$|[^\\s,}\\]"[{]+)`,
  'gi',
);

function redactNames(text: string): string {
  return text.replace(namedValue, `$1"${removed}"`);
}

const queryValue = new RegExp(`((?:^|[?&#])(?:[\\w.~-]|%\\w\\w)*(?:${words})=)[^&#"'\\s\\\\<>]*`, 'gi');
const userInfo = /(\w:\/\/)[^\s/?#"'\\]+@/g;

/** Redacts any other text, such as an error message. */
export function redactUrls(text: string): string {
  return redactSecrets(text.replace(queryValue, `$1${removed}`).replace(userInfo, `$1${removed}@`));
}
