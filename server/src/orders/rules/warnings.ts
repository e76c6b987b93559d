import type { Warning } from '@aisle/contract/put-order';
import type { NewLine } from './line.ts';
import type { Item } from './read-put.ts';

/** The warnings for a line whose item is at this pointer in the request. */
export function warningsAt(at: string, { warnings = [] }: Pick<NewLine, 'warnings'>): Warning[] {
  return warnings.map((warning) => ({ ...warning, pointer: `${at}${warning.pointer}` }));
}

/**
 * The warnings for a repeated fulfilment request, which can list the items in a different order than the first request.
 */
export function repeatWarnings(items: Item[], lines: NewLine[]): Warning[] {
  const replacements = new Map(lines.map((line) => [line.replacedId, line]));
  return items.flatMap(({ replaced_id: replacedId }, index) => {
    const line = replacedId === undefined ? undefined : replacements.get(replacedId);
    return line ? warningsAt(`/items/${index}`, line) : [];
  });
}
