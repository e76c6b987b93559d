import { isPosition, readSince, type Since } from '../../kernel/http/walk.ts';

/** Where a walk through the orders of a chain continues: after this position. */
export type OrderPlace = { position: number; since: Since | undefined };

export const orderList = 'orders';

export function placeContent({ position, since }: OrderPlace): unknown[] {
  return since && position < since.upTo ? [position, since.ms, since.upTo] : [position];
}

/** Undefined if this list has not written it. */
export function readPlace([position, ms, upTo, ...rest]: unknown[]): OrderPlace | undefined {
  if (!isPosition(position) || rest.length > 0) return undefined;
  if (ms === undefined) return { position, since: undefined };
  const since = readSince(ms, upTo);
  return since && { position, since };
}
