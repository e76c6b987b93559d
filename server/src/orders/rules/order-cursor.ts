import { isPosition, readSince, type Since } from '../../kernel/http/walk.ts';

/** A walk through a chain's orders continues after `position`. */
export type OrderCursor = { position: number; since: Since | undefined };

export const orderList = 'orders';

export function cursorContent({ position, since }: OrderCursor): unknown[] {
  return since && position < since.upTo ? [position, since.ms, since.upTo] : [position];
}

/** Undefined if the content was not written by `cursorContent`. */
export function readOrderCursor([position, ms, upTo, ...rest]: unknown[]): OrderCursor | undefined {
  if (!isPosition(position) || rest.length > 0) return undefined;
  if (ms === undefined) return { position, since: undefined };
  const since = readSince(ms, upTo);
  return since && { position, since };
}
