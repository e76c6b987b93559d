// EAN-13 numbers from 20 to 29 are for use inside a store and belong to no company, so none of these is a real product.

/** Neighbours on the shelf get numbers far apart, as from different makers; the factor is coprime to 10⁹, so no two meet. */
export function packBarcode(number: number): string {
  const scattered = (BigInt(number) * 387_420_489n) % 1_000_000_000n;
  return withCheckDigit(`299${String(scattered).padStart(9, '0')}`);
}

/** The form a counter scale prints: 21, the item, and five digits for the weight, here zero. */
export function scaleBarcode(number: number): string {
  return withCheckDigit(`21${String(number).padStart(5, '0')}00000`);
}

function withCheckDigit(twelve: string): string {
  const sum = [...twelve].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return `${twelve}${(10 - (sum % 10)) % 10}`;
}
