import { isPosition, readSince, type Since } from '../../kernel/http/walk.ts';
import { isUuid } from '../../kernel/values/ids.ts';

/** A walk through the orders of all chains continues after the change at `position` to the order `orderId`. */
export type PlatformCursor = { position: number; orderId: string; since: Since | undefined };

export const platformOrderList = 'platform orders';

export const startCursor: PlatformCursor = {
  position: 0,
  orderId: '00000000-0000-0000-0000-000000000000',
  since: undefined,
};

export function platformCursorContent({ position, orderId, since }: PlatformCursor): unknown[] {
  return since && position < since.upTo ? [position, orderId, since.ms, since.upTo] : [position, orderId];
}

/** Undefined if the content was not written by `platformCursorContent`. */
export function readPlatformCursor([position, orderId, ms, upTo, ...rest]: unknown[]): PlatformCursor | undefined {
  if (!isPosition(position) || typeof orderId !== 'string' || !isUuid(orderId) || rest.length > 0) return undefined;
  if (ms === undefined) return { position, orderId, since: undefined };
  const since = readSince(ms, upTo);
  return since && { position, orderId, since };
}
