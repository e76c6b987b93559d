import { barcodeForms } from '@aisle/contract/embedded-barcode';
import { escapeLike, wordsOf } from '../../kernel/database/text-search.ts';

/** Product titles and search terms are case-folded in the same way, so searches ignore case. */

/** Returns all titles, case-folded, one per line. */
export function searchText(titles: Record<string, string>): string {
  return Object.values(titles)
    .map((title) => foldCase(title).replaceAll('\n', ' '))
    .join('\n');
}

/** What a search term can mean. `sku` and `barcodes` are patterns for LIKE. */
export type SearchTerm = {
  /** A complete SKU, lowercased, or a barcode in all its forms. */
  lowerCode: string;
  codes: string[];
  /** The words of the title, case-folded. */
  words: string[];
  /** The beginning of a SKU. */
  sku: string;
  /** The beginning of a barcode, if the term consists of digits. Each has its own condition (`findSkusByStarts`). */
  barcodes: string[];
};

/** `%` and `_` in the term are matched literally. For SKUs, only the letters A to Z are lowercased, as in the index. */
export function searchTerm(text: string): SearchTerm {
  const escaped = escapeLike(text);
  const code = text.trim();
  const codes = barcodeForms(code);
  return {
    lowerCode: lowerSku(code),
    codes,
    words: wordsOf(foldCase(text)),
    sku: `${lowerSku(escaped)}%`,
    barcodes: /^\d+$/.test(code) ? codes.map((form) => `% ${form}%`) : [],
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
