import type { InputError } from '@aisle/contract/common';
import { maxOrderBytes } from '@aisle/contract/sizes';
import { jsonBytes } from '../../kernel/values/text.ts';
import type { NewLine } from './line.ts';

/** Limits the texts in an order, because every change of it is an event with the whole order, and lists contain many. */
export function checkTexts(lines: readonly NewLine[]): InputError[] {
  if (lines.reduce((sum, line) => sum + textBytes(line), 0) <= maxOrderBytes) return [];
  const message = `the names, notes, barcodes, pictures, promotions and suggestions of all items must have at most ${maxOrderBytes / 1024} KiB together; send fewer items or suggestions`;
  return [{ pointer: '/items', code: 'too_long', message }];
}

function textBytes({ sku, name, instructions, image, barcodes, terms, wish }: NewLine): number {
  const suggestions = (wish?.suggestions ?? []).flatMap((one) => [one.sku, one.name]);
  const texts = [sku, name, instructions ?? '', image ?? '', terms?.name ?? '', ...barcodes, ...suggestions];
  return texts.reduce((sum, text) => sum + jsonBytes(text), 0);
}
