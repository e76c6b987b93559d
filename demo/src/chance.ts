/** A pseudorandom number in [0, 1) derived from the seed alone, so the demo data is the same every time. */
export function chance(seed: string): number {
  let hash = 2166136261;
  for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 16777619);
  hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

export function integerBetween(min: number, max: number, seed: string): number {
  return min + Math.floor(chance(seed) * (max - min + 1));
}
