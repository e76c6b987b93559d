/** A number in [0, 1) that depends on nothing but the text: what varies in the demo varies the same way every time. */
export function chance(seed: string): number {
  let hash = 2166136261;
  for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 16777619);
  hash = Math.imul(hash ^ (hash >>> 16), 2246822507);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296;
}

export function wholeBetween(low: number, high: number, seed: string): number {
  return low + Math.floor(chance(seed) * (high - low + 1));
}
