/** The path without what all paths of a chain have in common. */
export function shortPath(path: string): string {
  return path.replace(/^\/v\d+\/chains\/[^/]+(?=\/)/, '');
}

/** 0.4 ms, 12 ms, 3.2 s. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? ms : Math.round(ms)} ms`;
}

/** JSON with indentation; other text, such as truncated JSON, as it is. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
