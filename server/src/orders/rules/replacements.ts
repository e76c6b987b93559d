import type { InputError } from '@aisle/contract/common';
import { type Entry, describeItems } from './cart-entries.ts';
import { type Line, nameOf } from './line.ts';

type Original = Extract<Entry, { kind: 'original' }>;
type Replacement = Extract<Entry, { kind: 'replacement' }>;

/** Every REPLACED item needs exactly one replacement, and every replacement needs a REPLACED item. */
export function checkReplacements(entries: Entry[]): InputError[] {
  const replaced = new Map<string, Original>();
  for (const entry of entries) {
    if (entry.kind === 'original' && entry.item.status === 'REPLACED') replaced.set(entry.line.id, entry);
  }
  const replacedAt = new Map<string, string>();
  const hint = sentAsReplaced(Array.from(replaced.values(), ({ line }) => line));
  const errors: InputError[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'replacement') continue;
    const id = String(entry.item.replaced_id);
    if (!replaced.has(id)) errors.push(notReplaced(entry, hint));
    else if (replacedAt.has(id)) errors.push(secondReplacement(entry, replacedAt.get(id)));
    else replacedAt.set(id, entry.at);
  }
  const unmatched = [...replaced.values()].filter((entry) => !replacedAt.has(entry.line.id));
  return [...errors, ...unmatched.map(withoutReplacement)];
}

function sentAsReplaced(lines: Line[]): string {
  if (lines.length === 0) return '; send the item it replaces as REPLACED';
  return `; the items sent as REPLACED are ${describeItems(lines)}`;
}

function notReplaced({ at, item, replaced }: Replacement, hint: string): InputError {
  const message = replaced
    ? `${nameOf(replaced)} must have status REPLACED for ${item.sku ?? 'another item'} to replace it`
    : `the order has no item with _id ${item.replaced_id} for ${item.sku ?? 'another item'} to replace${hint}`;
  return { pointer: `${at}/replaced_id`, code: 'not_replaced', message };
}

function secondReplacement({ at, item, replaced }: Replacement, first: string | undefined): InputError {
  const name = replaced ? nameOf(replaced) : item.replaced_id;
  const message = `${name} already has a replacement at ${first}; an item can have only one`;
  return { pointer: `${at}/replaced_id`, code: 'several_replacements', message };
}

function withoutReplacement({ at, line }: Original): InputError {
  const message = `${nameOf(line)} is REPLACED, but no item has replaced_id ${line.id}; send its replacement, or use NOT_FOUND`;
  return { pointer: at, code: 'replacement_missing', message };
}
