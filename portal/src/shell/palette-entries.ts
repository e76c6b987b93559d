import type { Icon } from '@tabler/icons-react';

/** What the command palette lists. Pure. */
export type PaletteEntry = {
  id: string;
  label: string;
  /** A second, quieter text. */
  about?: string;
  icon: Icon;
  open(): void;
};
export type PaletteGroup = { id: string; label: string; entries: PaletteEntry[] };

/** The maximum number of entries in a group. */
export const maxEntries = 5;

/** Whether every word of the term is part of one of the texts. */
export function hasWords(term: string, ...texts: (string | null | undefined)[]): boolean {
  const text = texts.join(' ').toLocaleLowerCase();
  return term
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The index after moving up or down, which starts over at the end. */
export function moveIndex(index: number, step: 1 | -1, length: number): number {
  return length === 0 ? 0 : (index + step + length) % length;
}
