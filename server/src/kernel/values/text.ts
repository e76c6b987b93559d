/** PostgreSQL cannot store U+0000 or an unpaired surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Whether the text starts or ends with a space, tab or line break. */
export function hasOuterSpace(text: string): boolean {
  return text.trim() !== text;
}

/** A character is one or two UTF-16 code units, so the characters are counted only if `text.length` is inconclusive. */
export function isLongerThan(text: string, characters: number): boolean {
  return text.length > 2 * characters || (text.length > characters && [...text].length > characters);
}

/** The size of the text in JSON, in bytes. A control character takes six. */
export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** The text or, if it has more characters than this, its beginning with an ellipsis. */
export function shorten(text: string, characters: number): string {
  if (!isLongerThan(text, characters)) return text;
  const start = Array.from(text.slice(0, 2 * characters)).slice(0, characters - 1);
  return `${start.join('')}…`;
}

/**
 * The text in lowercase, like `lower()` in PostgreSQL, which replaces each character with one other, whatever its
 * neighbors. JavaScript makes two characters of `İ`, which PostgreSQL replaces with `i`.
 */
export function lowerLikePostgres(text: string): string {
  return Array.from(text, (character) => [...character.toLowerCase()][0] ?? '').join('');
}
