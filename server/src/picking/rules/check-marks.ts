import type { InputError } from '@aisle/contract/common';
import type { MarkInput } from '@aisle/contract/picking-state';
import { isUuid } from '../../kernel/values/ids.ts';

/** The SKU of each item of the order, by the item's id. */
export type Items = ReadonlyMap<string, string>;

/** Finds marks that make no sense for this order. Whether the SKUs are in the catalog is checked separately. */
export function checkMarks(marks: readonly MarkInput[], items: Items): InputError[] {
  return marks.flatMap((mark, index) =>
    checkMark(mark, items).map((error) => ({ ...error, pointer: `/marks/${index}/${error.pointer}` })),
  );
}

/** The SKUs in the marks that must be in the catalog, with the pointer to each. */
export function skusIn(marks: readonly MarkInput[]): { pointer: string; sku: string }[] {
  return marks.flatMap(({ sku, replacement }, index) => [
    ...(sku ? [{ pointer: `/marks/${index}/sku`, sku }] : []),
    ...(replacement ? [{ pointer: `/marks/${index}/replacement/sku`, sku: replacement.sku }] : []),
  ]);
}

function checkMark(mark: MarkInput, items: Items): InputError[] {
  const isAddition = mark.state === 'ADDED' || mark.state === 'REMOVED';
  const line = isAddition ? checkAddedLine(mark, items) : checkItemLine(mark, items);
  return [...line, ...checkReplacement(mark, items), ...checkSku(mark)];
}

function checkAddedLine({ line_id, state }: MarkInput, items: Items): InputError[] {
  if (items.has(line_id)) {
    const message = `is an item of the order, which cannot be ${state}; use PENDING, IN_CART, NOT_FOUND or REPLACED`;
    return [{ pointer: 'line_id', code: 'not_allowed', message }];
  }
  if (isUuid(line_id)) return [];
  return [{ pointer: 'line_id', code: 'bad_format', message: 'must be a UUID for an added product' }];
}

function checkItemLine({ line_id, state }: MarkInput, items: Items): InputError[] {
  if (items.has(line_id)) return [];
  const message = `must be the _id of an item of the order with ${state}; use ADDED for another product`;
  return [{ pointer: 'line_id', code: 'unknown_item', message }];
}

function checkReplacement({ line_id, state, replacement }: MarkInput, items: Items): InputError[] {
  if (state !== 'REPLACED') {
    const message = `is allowed only with REPLACED, not with ${state}`;
    return replacement ? [{ pointer: 'replacement', code: 'not_allowed', message }] : [];
  }
  if (!replacement) return [{ pointer: 'replacement', code: 'missing', message: 'is required with REPLACED' }];
  if (replacement.sku !== items.get(line_id)) return [];
  const message = 'must differ from the SKU of the item; send the item as IN_CART instead';
  return [{ pointer: 'replacement/sku', code: 'replacement_same_sku', message }];
}

function checkSku({ state, sku }: MarkInput): InputError[] {
  if (state === 'ADDED') return sku ? [] : [{ pointer: 'sku', code: 'missing', message: 'is required with ADDED' }];
  const message = `is allowed only with ADDED, not with ${state}`;
  return sku ? [{ pointer: 'sku', code: 'not_allowed', message }] : [];
}
