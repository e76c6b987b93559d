/**
 * The marks of an axis for values up to `max`, from 0 in equal steps of 1, 2 or 5 times a power of ten. Counts have no
 * marks between whole numbers.
 */
export function ticksUpTo(max: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(max, 1) / maxSteps));
  const step = Math.max(1, power * (sizes.find((size) => power * size * maxSteps >= max) ?? 10));
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

const maxSteps = 4;
const sizes = [1, 2, 5];

/** Shows every n-th label, so that labels of this many characters do not touch each other. */
export function labelInterval(labels: readonly string[], width: number): number {
  const widest = Math.max(0, ...labels.map((label) => label.length)) * characterWidth + gap;
  return width === 0 ? labels.length : Math.max(1, Math.ceil((widest * labels.length) / width));
}

const characterWidth = 7;
const gap = 10;
