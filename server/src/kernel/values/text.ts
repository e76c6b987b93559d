/** PostgreSQL stores no U+0000, and half a surrogate pair is no character. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
