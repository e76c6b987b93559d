/**
 * Removes secrets from what the request log stores: the values of fields and query parameters whose name indicates a
 * secret, at any depth, and credentials in URLs.
 */
export const removed = '[removed]';

/** Redacts a JSON body. If it is truncated or malformed, it is searched for field names instead of parsed. */
export function redactBody(text: string): string {
  return redactUrls(redactJson(text) ?? redactNames(text));
}

export function redactQuery(query: string): string {
  return redactUrls(`?${query}`).slice(1);
}

function redactJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) =>
      isSecret(name) && value !== null ? removed : value,
    );
  } catch {
    // Malformed, or nested too deeply.
    return undefined;
  }
}

/** `token` and `client_secret`, but not `token_id`, `has_secret` or `previous_secret_expires_at`. */
function isSecret(name: string): boolean {
  return secretName.test(name) && !/^has_/i.test(name);
}

const words = 'passwords?|passwd|secrets?|token|signature|authorization|api_?key|private_?key|secret_?key';
const secretName = new RegExp(`(?:${words})$`, 'i');

/** Matches `"name": "value"`, even if the value is cut off. An object or array is matched to the end of the text. */
const namedValue = new RegExp(
  `("(?!has_)[^"\\\\]*(?:${words})"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*(?:"|\\\\?$)|([[{])[^]*$|[^\\s,}\\]"[{]+)`,
  'gi',
);

function redactNames(text: string): string {
  return text.replace(namedValue, `$1"${removed}"`);
}

const queryValue = new RegExp(`([?&](?:[\\w.~-]|%\\w\\w)*(?:${words})=)[^&#"'\\s\\\\<>]*`, 'gi');
const userInfo = /(\w:\/\/)[^\s/?#"'\\@]+@/g;

function redactUrls(text: string): string {
  return text.replace(queryValue, `$1${removed}`).replace(userInfo, `$1${removed}@`);
}
