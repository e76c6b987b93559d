/** The path without the prefix that all of a chain's paths share. */
export function shortPath(path: string): string {
  return path.replace(/^\/v\d+\/chains\/[^/]+(?=\/)/, '');
}

/** For example 0.4 ms, 12 ms or 3.2 s. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? ms : Math.round(ms)} ms`;
}

/** Indents JSON. Other text, such as truncated JSON, is returned unchanged. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
