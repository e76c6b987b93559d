import type { Db, Tx } from '../kernel/database/db.ts';

/** Entries are only inserted. A trigger rejects changes and deletions. */
export type NewEntry = {
  entry_id: string;
  chain_id: string;
  actor_kind: string;
  actor_id: string;
  actor_name: string;
  is_on_behalf: boolean;
  action: string;
  targets: Record<string, string>;
  /** JSON. */
  details: string | null;
  address: string | null;
  request_id: string | null;
};

/** `place` is the time with microseconds, which a `Date` does not have. */
export type EntryRow = Omit<NewEntry, 'details'> & { at: Date; place: string; details: unknown };

/** The entry at which a page ended. */
export type EntryPlace = { at: string; entryId: string };

export type EntryFilter = {
  chain_id?: string;
  actor_id?: string;
  action?: string;
  target?: string;
  since?: Date;
  until?: Date;
};

export async function insertEntry(tx: Tx, chainId: string, entry: NewEntry): Promise<void> {
  await tx.query(
    `insert into audit_entries (chain_id, entry_id, actor_kind, actor_id, actor_name, is_on_behalf, action, targets,
       details, address, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      chainId,
      entry.entry_id,
      entry.actor_kind,
      entry.actor_id,
      entry.actor_name,
      entry.is_on_behalf,
      entry.action,
      JSON.stringify(entry.targets),
      entry.details,
      entry.address,
      entry.request_id,
    ],
  );
}

/** The newest entries of all chains that match, after the one at which the previous page ended. */
export function listEntries(
  db: Db,
  filter: EntryFilter,
  page: { after: EntryPlace | undefined; limit: number },
): Promise<EntryRow[]> {
  return db.query(
    `select entry_id, chain_id, at, actor_kind, actor_id, actor_name, is_on_behalf, action, targets, details, address,
       request_id, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as place
     from audit_entries
     where ($1::uuid is null or chain_id = $1) and ($2::text is null or actor_id = $2)
       and ($3::text is null or action = $3)
       and ($4::text is null or request_id = $4 or exists (select from jsonb_each_text(targets) t where t.value = $4))
       and ($5::timestamptz is null or at >= $5) and ($6::timestamptz is null or at < $6)
       and ($7::timestamptz is null or (at, entry_id) < ($7, $8::uuid))
     order by at desc, entry_id desc limit $9`,
    [
      filter.chain_id,
      filter.actor_id,
      filter.action,
      filter.target,
      filter.since,
      filter.until,
      page.after?.at,
      page.after?.entryId,
      page.limit,
    ],
  );
}
