import type { InputError } from '@aisle/contract/common';
import { maxOrderText } from '@aisle/contract/sizes';
import type { NewLine } from './line.ts';

/** Limits the texts in an order, because every change of it is an event with the whole order, and lists contain many. */
export function checkTexts(lines: readonly NewLine[]): InputError[] {
  if (lines.reduce((sum, line) => sum + textLength(line), 0) <= maxOrderText) return [];
  const message = `the names, notes, barcodes, pictures and suggestions of all items must have at most ${maxOrderText.toLocaleString('en')} characters together; send fewer items or suggestions`;
  return [{ pointer: '/items', code: 'too_long', message }];
}

function textLength({ sku, name, instructions, image, barcodes, wish }: NewLine): number {
  const suggestions = (wish?.suggestions ?? []).flatMap((one) => [one.sku, one.name]);
  const texts = [sku, name, instructions ?? '', image ?? '', ...barcodes, ...suggestions];
  return texts.reduce((sum, text) => sum + text.length, 0);
}
