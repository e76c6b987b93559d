/** A fraction with four decimal places, or null if the total is 0. */
export function rate(part: number, total: number): number | null {
  return total === 0 ? null : Math.round((part / total) * 10_000) / 10_000;
}
