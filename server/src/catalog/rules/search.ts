/** What a search reads, and the patterns it searches for. Both sides fold case the same way, so that case never matters. */

/** All titles folded, a line each. */
export function searchText(titles: Record<string, string>): string {
  return Object.values(titles)
    .map((title) => foldCase(title).replaceAll('\n', ' '))
    .join('\n');
}

/** Patterns for LIKE. */
export type SearchPatterns = { title: string; sku: string; barcode: string };

/** `%` and `_` are ordinary characters. A SKU's letters are compared as the index has them: A to Z in lower case. */
export function searchPatterns(term: string): SearchPatterns {
  const text = term.replace(/[\\%_]/g, '\\$&');
  const sku = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return { title: `%${foldCase(text)}%`, sku: `${sku}%`, barcode: `% ${text}%` };
}

/** Lower case. A sigma at the end of a word has a form of its own, but a term may end in the middle of one. */
function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
