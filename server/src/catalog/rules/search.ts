import { escapeLike, wordsOf } from '../../kernel/database/text-search.ts';

/** Product titles and search terms are case-folded in the same way, so searches ignore case. */

/** Returns all titles, case-folded, one per line. */
export function searchText(titles: Record<string, string>): string {
  return Object.values(titles)
    .map((title) => foldCase(title).replaceAll('\n', ' '))
    .join('\n');
}

/** What a search term can mean. `sku` and `barcode` are patterns for LIKE. */
export type SearchTerm = {
  /** A complete SKU, lowercased, or barcode. */
  code: string;
  lowerCode: string;
  /** The words of the title, case-folded. */
  words: string[];
  /** The beginning of a SKU. */
  sku: string;
  /** The beginning of a barcode, if the term consists of digits. */
  barcode: string | undefined;
};

/** `%` and `_` in the term are matched literally. For SKUs, only the letters A to Z are lowercased, as in the index. */
export function searchTerm(text: string): SearchTerm {
  const escaped = escapeLike(text);
  return {
    code: text.trim(),
    lowerCode: lowerSku(text.trim()),
    words: wordsOf(foldCase(text)),
    sku: `${lowerSku(escaped)}%`,
    barcode: /^\d+$/.test(text.trim()) ? `% ${text.trim()}%` : undefined,
  };
}

/** Lowercases the text. Final sigma (ς) becomes σ, because a search term can end in the middle of a word. */
function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** Lowercases the letters A to Z only, like lower() in the database. */
function lowerSku(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
