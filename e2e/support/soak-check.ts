import assert from 'node:assert/strict';
import type { Database } from '../../server/src/kernel/database/db.ts';
import type { Arrival } from '../../cli/src/simulate/world/receivers.ts';

export type Committed = { event_id: string; chain_id: string; order_id: string; text: string; revision: number };

/** Lists the committed events, to compare them with the messages received and the events in the feeds. */
export function listCommitted(db: Database): Promise<Committed[]> {
  return db.query(
    `select event_id, chain_id, order_id, body::text as text, (body ->> 'revision')::int as revision
     from events order by event_no`,
  );
}

/** Checks that every committed event was received and is DELIVERED, or is listed as not delivered yet. */
export async function assertNothingLost(db: Database, committed: Committed[], arrivals: Arrival[]): Promise<number> {
  const rows = await db.query<{ delivery_id: string; status: string }>('select delivery_id, status from deliveries');
  const statuses = new Map(rows.map(({ delivery_id, status }) => [delivery_id, status]));
  const received = new Set(arrivals.map(({ id }) => id));
  const lost = committed.filter(({ event_id }) => {
    const status = statuses.get(event_id);
    return status === undefined || (status === 'DELIVERED' && !received.has(event_id));
  });
  assert.deepEqual(lost, []);
  return committed.filter(({ event_id }) => statuses.get(event_id) !== 'DELIVERED').length;
}

/** Checks that only committed events arrived, each with the committed bytes and at the right receiver. */
export function assertOnlyCommitted(committed: Committed[], arrivals: Arrival[], rolledBack: Set<string>): void {
  const known = new Map(committed.map((one) => [one.event_id, one]));
  for (const arrival of arrivals) {
    const event = known.get(arrival.id);
    assert.ok(event, `${arrival.id} was never committed: ${arrival.text}`);
    assert.equal(arrival.text, event.text, 'every attempt sends the committed bytes');
    assert.equal(arrival.chainId, event.chain_id);
    const marks = [...arrival.text.matchAll(/"(?:comment|reason)":"([^"]+)"/g)].map((match) => match[1] ?? '');
    assert.ok(!marks.some((mark) => rolledBack.has(mark)), 'a change that was rolled back was published');
  }
}

/**
 * Checks that the first arrivals of each order's events are in sequence. Duplicates with the same bytes are allowed.
 */
export function assertInOrder(committed: Committed[], arrivals: Arrival[]): void {
  const known = new Map(committed.map((one) => [one.event_id, one]));
  const seen = new Map<string, number[]>();
  const firsts = new Set<string>();
  for (const { id } of arrivals) {
    const event = known.get(id);
    if (!event || firsts.has(id)) continue;
    firsts.add(id);
    seen.set(event.order_id, [...(seen.get(event.order_id) ?? []), event.revision]);
  }
  for (const [orderId, revisions] of seen) {
    const expected = revisions.map((_, index) => index + 1);
    assert.deepEqual(revisions, expected, `order ${orderId}`);
  }
}

/** Checks that each chain's feed has every event exactly once, with the events of each order in sequence. */
export function assertFeedComplete(committed: Committed[], feeds: Map<string, string[]>): void {
  for (const [chainId, ids] of feeds) {
    const own = committed.filter((event) => event.chain_id === chainId);
    assert.equal(ids.length, new Set(ids).size, 'an event was returned twice');
    assert.deepEqual(new Set(ids), new Set(own.map((event) => event.event_id)));
    assertInOrder(
      own,
      ids.map((id) => ({ id, chainId, text: '' })),
    );
  }
}
