import type { AuditEntry } from '@aisle/contract/audit';
import type { Static } from 'typebox';
import { platformId } from '../identity/index.ts';
import type { EntryRow } from './queries.ts';

type Entry = Static<typeof AuditEntry>;

export function entryResponse(row: EntryRow): Entry {
  const kind = row.actor_kind as Entry['actor']['kind'];
  return {
    entry_id: row.entry_id,
    at: row.at.toISOString(),
    chain_id: row.chain_id === platformId ? null : row.chain_id,
    actor: { kind, id: row.actor_id, name: row.actor_name },
    is_on_behalf: row.is_on_behalf,
    action: row.action,
    targets: row.targets,
    details: row.details,
    address: row.address,
    request_id: row.request_id,
  };
}
