/** The path without the prefix that all of a chain's paths share. */
export function shortPath(path: string): string {
  return path.replace(/^\/v\d+\/chains\/[^/]+(?=\/)/, '');
}

/** Indents JSON. Other text, such as truncated JSON, is returned unchanged. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
