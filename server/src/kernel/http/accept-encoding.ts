/** The supported response encodings, best first. zstd is the fastest and produces the smallest responses. */
const encodings = ['zstd', 'br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** RFC 9110, 12.5.3: the encodings the client accepts, best first. Empty if the response must not be compressed. */
export function acceptedEncodings(header: string | string[] | undefined): Encoding[] {
  if (header === undefined) return [];
  const weights = new Map([header].flat().join(',').split(',').map(readWeight));
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ?? (encoding === 'gzip' ? (weights.get('x-gzip') ?? weights.get('*') ?? 0) : 0);
  const min = weights.get('identity') ?? 0;
  const accepted = encodings.filter((encoding) => weightOf(encoding) > 0 && weightOf(encoding) >= min);
  // The sort is stable, so encodings with the same weight keep our order of preference.
  return accepted.toSorted((a, b) => weightOf(b) - weightOf(a));
}

/** Parses `gzip;q=0.5` into `gzip` and 0.5. A malformed weight counts as 0. */
function readWeight(part: string): [name: string, weight: number] {
  const [name = '', ...parameters] = part.toLowerCase().split(';');
  const weight = parameters.map(readQuality).find((text) => text !== undefined);
  if (weight === undefined) return [name.trim(), 1];
  return [name.trim(), /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0];
}

/** Not a regular expression: the header is as long as the client likes, and most of them need quadratic time for that. */
function readQuality(parameter: string): string | undefined {
  const [name = '', ...value] = parameter.split('=');
  return name.trim() === 'q' && value.length > 0 ? value.join('=').trim() : undefined;
}
