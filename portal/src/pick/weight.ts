/** A weight as a person types it. Pure. */

import { maxMoney } from '@aisle/contract/sizes';

/**
 * Kilograms with up to three decimal places, as many as a mark can have: a barcode in the field is not a weight. Accepts
 * a decimal comma, and Arabic and Persian digits.
 */
export function parseWeight(text: string): number | undefined {
  const plain = text
    .trim()
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replace(/[,\u066b]/g, '.')
    .replace(/\s*(kg|كغم|كجم)\.?$/i, '');
  const weight = /^(\d+\.?\d{0,3}|\.\d{1,3})$/.test(plain) ? Number(plain) : Number.NaN;
  return weight <= maxMoney ? weight : undefined;
}

export type WeightLimits = { min: number; max: number | undefined };
export type WeightProblem = 'missing' | 'invalid' | 'outside';

export function checkWeight(text: string, { min, max }: WeightLimits): WeightProblem | undefined {
  if (text.trim() === '') return 'missing';
  const weight = parseWeight(text);
  if (weight === undefined) return 'invalid';
  return weight < min || (max !== undefined && weight > max) ? 'outside' : undefined;
}
