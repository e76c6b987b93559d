import { Failure } from '../kernel/failures/failure.ts';
import type { OrderRow } from './rules/order-response.ts';

/** Fails if the order has another revision. Uses strong comparison, as RFC 9110 requires. `*` matches any revision. */
export function rejectStale(row: OrderRow, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  const tags = new Set(ifMatch.split(',').map((tag) => tag.trim()));
  if (tags.has('*') || tags.has(etagOf(row))) return;
  throw new Failure(
    'precondition_failed',
    `The current ETag of the order is ${etagOf(row)}, not ${ifMatch}. Read the order again and send its current ETag.`,
    {
      extra: { revision: row.revision },
      headers: { etag: etagOf(row) },
    },
  );
}

export function etagOf(row: OrderRow): string {
  return `"${row.revision}"`;
}
