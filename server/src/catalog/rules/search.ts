/** Product titles and search terms are case-folded in the same way, so searches ignore case. */

/** Returns all titles, case-folded, one per line. */
export function searchText(titles: Record<string, string>): string {
  return Object.values(titles)
    .map((title) => foldCase(title).replaceAll('\n', ' '))
    .join('\n');
}

/** Patterns for LIKE. */
export type SearchPatterns = { title: string; sku: string; barcode: string };

/** `%` and `_` in the term are matched literally. For SKUs, only the letters A to Z are lowercased, as in the index. */
export function searchPatterns(term: string): SearchPatterns {
  const text = term.replace(/[\\%_]/g, '\\$&');
  const sku = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return { title: `%${foldCase(text)}%`, sku: `${sku}%`, barcode: `% ${text}%` };
}

/** Whether a search for the term can use the trigram index on titles. */
export function isIndexed(term: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(term);
}

/** Lowercases the text. Final sigma (ς) becomes σ, because a search term can end in the middle of a word. */
function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
