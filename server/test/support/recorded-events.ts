import assert from 'node:assert/strict';
import type { EventType } from '@aisle/contract/events';
import type { Db } from '../../src/kernel/database/db.ts';

/** Events of one page with the same type and body. */
type Recorded = { event_id: string; type: EventType; text: string; count: number; last: string };

type Api = 'partner' | 'platform';

const pageSize = 1000;

/** Fails if a recorded event does not match its webhook in the OpenAPI document. Undeclared properties count as errors. */
export async function assertEventsMatchContract(db: Db): Promise<void> {
  for (const api of ['partner', 'platform'] as const) await assertMatches(db, api);
}

async function assertMatches(db: Db, api: Api): Promise<void> {
  for (let after = '0', size = pageSize; size === pageSize; ) {
    const page = await listRecorded(db, api, after);
    const mismatches = page.length > 0 ? await findMismatches(page, api) : [];
    assert.deepEqual(mismatches, [], 'recorded events do not match the webhooks in the OpenAPI document');
    size = page.reduce((sum, { count }) => sum + count, 0);
    after = page[0]?.last ?? after;
  }
}

/** Some tests record thousands of equal events, which are read and checked once. */
function listRecorded(db: Db, api: Api, after: string): Promise<Recorded[]> {
  const table = api === 'partner' ? 'events' : 'platform_events';
  return db.query(
    `select min(event_id::text) as event_id, type, text, count(*)::int as count,
       (max(max(event_no)) over ())::text as last
     from (select event_no, event_id, type, body::text as text from ${table}
       where event_no > $1 order by event_no limit $2) page
     group by type, text`,
    [after, pageSize],
  );
}

/** Loads the whole contract, which a test without events does not need. */
async function findMismatches(page: Recorded[], api: Api): Promise<string[]> {
  const { eventMismatches } = await import('./documented.ts');
  return page.flatMap(({ event_id, type, text }) =>
    eventMismatches(type, JSON.parse(text), api).map((mismatch) => `${type} ${event_id}: ${mismatch}`),
  );
}
