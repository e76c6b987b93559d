import type { Tx } from './db.ts';
import { setLocal } from './set-local.ts';

/**
 * Conditions that find texts by words, in any order, with the trigram index (pg_trgm) on the column. The caller folds
 * the case of the term in the same way as the column.
 */

/** Adds a value to the statement and returns its placeholder. */
export type Bind = (value: unknown) => string;

export function wordsOf(term: string): string[] {
  const words = term.split(/\s+/).filter((word) => word !== '');
  return [...new Set(words)].slice(0, maxWords);
}

/** Each word costs time for every row that contains the others. */
const maxWords = 10;

/** In a LIKE pattern, the text then matches only itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** Every word is part of the text. */
export function containsWords(column: string, words: readonly string[], bind: Bind): string {
  return words.map((word) => `${column} like ${bind(`%${escapeLike(word)}%`)}`).join(' and ');
}

/**
 * Every word resembles a part of the text: most of its trigrams match, or two adjacent letters are swapped. Short words
 * and codes must match exactly. Run it in a transaction with `setWordSimilarity`.
 */
export function resemblesWords(column: string, words: readonly string[], bind: Bind): string {
  return words
    .map((word) => {
      if (!canHaveTypos(word)) return containsWords(column, [word], bind);
      const swapped = swapsOf(word).map((other) => containsWords(column, [other], bind));
      return `(${[`${bind(word)} <% ${column}`, ...swapped].join(' or ')})`;
    })
    .join(' and ');
}

/** Whether a search for words that resemble these can find more than a search for the words themselves. */
export function canResemble(words: readonly string[]): boolean {
  // A term with wildcard characters is meant literally.
  return words.some(canHaveTypos) && !words.some((word) => /[\\%_]/.test(word));
}

/** At 0.4, a word of six letters can have one wrong letter, and a longer one two. */
const wordSimilarity = 0.4;

export function setWordSimilarity(tx: Tx): void {
  for (const statement of setLocal('pg_trgm.word_similarity_threshold', String(wordSimilarity))) tx.send(statement);
}

function canHaveTypos(word: string): boolean {
  return /\p{L}{4}/u.test(word) && !/\d/.test(word);
}

/** In short words, two swapped letters leave too few trigrams to recognize the word. */
function swapsOf(word: string): string[] {
  const letters = [...word];
  if (letters.length > 8) return [];
  const swapAt = (index: number) =>
    letters.map((letter, at) =>
      at === index ? (letters[at + 1] ?? '') : at === index + 1 ? (letters[index] ?? '') : letter,
    );
  const all = letters.slice(1).map((_, index) => swapAt(index).join(''));
  return [...new Set(all)].filter((other) => other !== word);
}
