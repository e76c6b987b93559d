// EAN-13 prefixes 20 to 29 are reserved for in-store use, so these barcodes do not belong to real products.

/**
 * The barcode of a packaged product. The multiplication spreads consecutive numbers far apart. The factor is coprime
 * to 10⁹, so there are no collisions.
 */
export function packBarcode(number: number): string {
  const scattered = (BigInt(number) * 387_420_489n) % 1_000_000_000n;
  return withCheckDigit(`299${String(scattered).padStart(9, '0')}`);
}

/** The format that in-store scales print: 21, the item number, and five digits for the weight (here zero). */
export function scaleBarcode(number: number): string {
  return withCheckDigit(`21${String(number).padStart(5, '0')}00000`);
}

function withCheckDigit(digits: string): string {
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
