import type { auditRoutes } from '@aisle/contract/audit';
import type { Access } from '../identity/index.ts';
import type { Handlers } from '../kernel/http/call.ts';
import { badCursor, limitOf, startOf, writeCursor } from '../kernel/http/walk.ts';
import { isUuid } from '../kernel/values/ids.ts';
import { parseTime } from '../kernel/values/time.ts';
import { exportEntries } from './export-entries.ts';
import { type EntryFilter, type EntryPlace, listEntries } from './queries.ts';
import { entryResponse } from './response.ts';

const list = 'audit';

export function auditHandlers(): Handlers<typeof auditRoutes, Access> {
  return {
    async platformListAuditEntries({ db, query }) {
      const limit = limitOf(query);
      const { cursor } = await startOf(db, query.cursor === undefined ? {} : { cursor: query.cursor }, list);
      const rows = await listEntries(db, filterOf(query), { after: cursor && afterOf(cursor), limit });
      const last = rows.length === limit ? rows.at(-1) : undefined;
      const next_cursor = last ? writeCursor(list, [last.place, last.entry_id]) : null;
      return { status: 200, body: { entries: rows.map(entryResponse), next_cursor } };
    },

    async platformExportAuditEntries({ db, query }) {
      const { format = 'csv' } = query;
      const headers = {
        'content-type': `${format === 'csv' ? 'text/csv' : 'application/x-ndjson'}; charset=utf-8`,
        'content-disposition': `attachment; filename="audit-log.${format}"`,
      };
      return { status: 200, stream: exportEntries(db, filterOf(query), format), headers };
    },
  };
}

type FilterQuery = Omit<EntryFilter, 'since' | 'until'> & { since?: string; until?: string };

function filterOf({ chain_id, actor_id, action, target, since, until }: FilterQuery): EntryFilter {
  const times = { since: since && parseTime(since), until: until && parseTime(until) };
  return {
    ...(chain_id !== undefined && { chain_id }),
    ...(actor_id !== undefined && { actor_id }),
    ...(action !== undefined && { action }),
    ...(target !== undefined && { target }),
    ...(times.since && { since: times.since }),
    ...(times.until && { until: times.until }),
  };
}

function afterOf([at, entryId]: unknown[]): EntryPlace {
  if (typeof at !== 'string' || typeof entryId !== 'string') throw badCursor();
  if (!placeForm.test(at) || parseTime(at) === null || !isUuid(entryId)) throw badCursor();
  return { at, entryId };
}

const placeForm = /^[1-9]\d{3}-\d\d-\d\dT[\d:]{8}\.\d{3,6}Z$/;
