/** Replaces a secret in a log. */
export const removed = '[removed]';

/** Credentials with a fixed format: our own tokens, signing secrets and Authorization headers. */
const knownSecret = /\baisle_[a-z]+_\w{16,}|\bwhsec_[\w+/=-]{16,}|\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/gi;

/** Removes credentials that were put into a path or another text by mistake. */
export function redactSecrets(text: string): string {
  return text.replace(knownSecret, removed);
}
