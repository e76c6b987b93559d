/** PostgreSQL cannot store U+0000 or half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Characters are counted only where it matters: a character is one or two of JavaScript's units. */
export function isLongerThan(text: string, characters: number): boolean {
  return text.length > 2 * characters || (text.length > characters && [...text].length > characters);
}
