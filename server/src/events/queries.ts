import type { EventType } from '@aisle/contract/events';
import type { Tx } from '../kernel/db.ts';
import { newId } from '../kernel/ids.ts';

/** What an event is about: events of one order (or job) reach a receiver one after the other. */
export type Subject = { orderId: string } | { jobId: string };

/** Writes down what the caller's transaction made happen, with the body every receiver will see; its id. */
export async function recordEvent(
  tx: Tx,
  chainId: string,
  event: { type: EventType; vendorId: string | null; about: Subject; body: unknown },
): Promise<string> {
  const eventId = newId();
  await tx.query('insert into events (chain_id, event_id, type, vendor_id, body) values ($1, $2, $3, $4, $5)', [
    chainId,
    eventId,
    event.type,
    event.vendorId,
    JSON.stringify(event.body),
  ]);
  return eventId;
}

export async function deleteOldEvents(tx: Tx, days: number): Promise<number> {
  const gone = await tx.query<{ count: number }>(
    `with gone as (delete from events where created_at < now() - make_interval(days => $1) returning 1)
     select count(*)::int as count from gone`,
    [days],
  );
  return gone[0]?.count ?? 0;
}
