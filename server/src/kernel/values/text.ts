/** PostgreSQL cannot store U+0000 or an unpaired surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Whether the text starts or ends with a space, tab or line break. */
export function hasOuterSpace(text: string): boolean {
  return text.trim() !== text;
}

/** Counts characters only if necessary, because a character is one or two UTF-16 code units. */
export function isLongerThan(text: string, characters: number): boolean {
  return text.length > 2 * characters || (text.length > characters && [...text].length > characters);
}
