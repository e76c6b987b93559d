/** An exact decimal number with three decimal places, stored as an integer number of thousandths. */
export type Decimal = bigint & { readonly __decimal: true };

/** The number as text with at most three decimal places. Extra digits are truncated. */
export function truncateDecimal(value: number): string {
  // Cached, because the same few numbers occur frequently and formatting a number is slow.
  let text = truncatedTexts.get(value);
  if (text === undefined) {
    text = truncateText(plainText(value));
    if (truncatedTexts.size >= 10_000) truncatedTexts.clear();
    truncatedTexts.set(value, text);
  }
  return text;
}

const truncatedTexts = new Map<number, string>();

function truncateText(text: string): string {
  const point = text.indexOf('.');
  return point < 0 ? text : text.slice(0, point + 4);
}

/** Extra digits are truncated: 4.5559 becomes 4.555. */
export function decimal(value: number | string): Decimal {
  const text = typeof value === 'number' ? plainText(value) : value;
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) throw new RangeError(`${text} is not a decimal number`);
  const [, sign, integer, fraction = ''] = match;
  const thousandths = BigInt(`${integer}${fraction.slice(0, 3).padEnd(3, '0')}`);
  return (sign ? -thousandths : thousandths) as Decimal;
}

export function decimalText(value: Decimal): string {
  const digits = (value < 0n ? -value : value).toString().padStart(4, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

/** For JSON only, where the number is printed with the same decimal places. Do not calculate with it. */
export function decimalNumber(value: Decimal): number {
  return Number(decimalText(value));
}

export function addDecimals(...values: Decimal[]): Decimal {
  return values.reduce((sum, value) => (sum + value) as Decimal, 0n as Decimal);
}

/** `a` × `b`, computed exactly, then rounded half up to `digits` decimal places. */
export function multiplyDecimals(a: Decimal, b: Decimal, digits: number): Decimal {
  return roundHalfUp(a * b, 6, digits);
}

/** The quotient, rounded half up to `digits` decimal places. */
export function divideDecimals(a: Decimal, b: Decimal, digits: number): Decimal {
  const sign = a < 0n !== b < 0n ? -1n : 1n;
  const [dividend, divisor] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const scaled = dividend * 10n ** BigInt(digits);
  const rounded = (scaled * 2n + divisor) / (divisor * 2n);
  return (sign * rounded * 10n ** BigInt(3 - digits)) as Decimal;
}

export function integerDecimal(value: number): Decimal {
  return (BigInt(value) * 1000n) as Decimal;
}

/** The smallest amount with this number of decimal places, such as 0.01 for 2. */
export function minorUnit(digits: number): Decimal {
  return (10n ** BigInt(3 - digits)) as Decimal;
}

export function roundDecimal(value: Decimal, digits: number): Decimal {
  return roundHalfUp(value, 3, digits);
}

/** Reduces the value by the exact percentage, then rounds it half up to `digits` decimal places. */
export function reduceByPercent(value: Decimal, percent: Decimal, digits: number): Decimal {
  return roundHalfUp(value * (100_000n - percent), 8, digits);
}

/** Truncates the value after `digits` decimal places. */
export function floorDecimal(value: Decimal, digits: number): Decimal {
  return (value - (value % 10n ** BigInt(3 - digits))) as Decimal;
}

export function minDecimal(first: Decimal, ...others: Decimal[]): Decimal {
  return others.reduce((min, value) => (value < min ? value : min), first);
}

/** Halves are rounded away from zero, so −0.5 becomes −1. */
function roundHalfUp(value: bigint, scale: number, digits: number): Decimal {
  const unit = 10n ** BigInt(scale - digits);
  const magnitude = value < 0n ? -value : value;
  const rounded = (magnitude + unit / 2n) / unit;
  const thousandths = rounded * 10n ** BigInt(3 - digits);
  return (value < 0n ? -thousandths : thousandths) as Decimal;
}

/** Formats the number without an exponent: 1e-7 becomes 0.0000001. */
function plainText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Math.abs(value) < 1 ? value.toFixed(20) : BigInt(Math.trunc(value)).toString();
}
