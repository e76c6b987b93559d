import assert from 'node:assert/strict';
import type { EventType } from '@aisle/contract/events';
import type { Db } from '../../src/kernel/database/db.ts';
import { eventMismatches } from './documented.ts';

type Recorded = { event_no: string; event_id: string; type: EventType; body: unknown };

type Api = 'partner' | 'platform';

const pageSize = 1000;

/** Fails if a recorded event does not match its webhook in the OpenAPI document. Undeclared properties count as errors. */
export async function assertEventsMatchContract(db: Db): Promise<void> {
  for (const api of ['partner', 'platform'] as const) await assertMatches(db, api);
}

async function assertMatches(db: Db, api: Api): Promise<void> {
  for (let last = '0', size = pageSize; size === pageSize; ) {
    const page = await listRecorded(db, api, last);
    const mismatches = page.flatMap((event) => findMismatches(event, api));
    assert.deepEqual(mismatches, [], 'recorded events do not match the webhooks in the OpenAPI document');
    size = page.length;
    last = page.at(-1)?.event_no ?? last;
  }
}

function listRecorded(db: Db, api: Api, after: string): Promise<Recorded[]> {
  const table = api === 'partner' ? 'events' : 'platform_events';
  return db.query(
    `select event_no, event_id, type, body from ${table} where event_no > $1 order by event_no limit $2`,
    [after, pageSize],
  );
}

function findMismatches({ event_id, type, body }: Recorded, api: Api): string[] {
  return eventMismatches(type, body, api).map((mismatch) => `${type} ${event_id}: ${mismatch}`);
}
