/** Whether the value is a finite number that is not an integer. */
export function isFractional(value: unknown): boolean {
  return Number.isFinite(value) && !Number.isInteger(value);
}
