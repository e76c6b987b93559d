import type { OptionRow } from '../command.ts';
import { UsageError } from '../errors.ts';
import { parseDuration } from '../terminal/time.ts';

export const storeOption: OptionRow = {
  flags: '-s, --store <store>',
  description: 'the store, by its platform id or your own number',
};

export const limitOption: OptionRow = {
  flags: '-n, --limit <n>',
  description: 'how many to show',
  parse: (text) => wholeNumber('--limit', text, 1, 100_000),
  default: 20,
};

export function wholeNumber(name: string, text: string, min: number, max: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= max) return number;
  throw new UsageError(`${name} must be a whole number between ${min} and ${max}, not ${text}.`);
}

export function durationOf(name: string, text: string): number {
  const duration = parseDuration(text);
  if (duration !== undefined) return duration;
  throw new UsageError(`${name} must be a duration such as 90s, 15m, 2h or 1d, not ${text}.`);
}

/** The ids of most objects are UUIDs, so a name or a code in their place is found without a request. */
export function idOf(what: string, text: string, hint?: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return text;
  throw new UsageError(`${text} is not the id of a ${what}.`, hint);
}

/** A list that is separated by commas. */
export function listOf(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** The first items of a list that can be longer than a page. */
export async function take<Item>(items: AsyncIterable<Item>, limit: number): Promise<Item[]> {
  const taken: Item[] = [];
  if (limit <= 0) return taken;
  for await (const item of items) {
    taken.push(item);
    if (taken.length >= limit) break;
  }
  return taken;
}

/** A good page size for a list of which `limit` items are needed. */
export function pageSize(limit: number): number {
  return Math.min(limit, 100);
}
