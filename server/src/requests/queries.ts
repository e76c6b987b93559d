import type { InputError } from '@aisle/contract/common';
import { countAffected } from '../kernel/database/count-affected.ts';
import { encodeCopyRow } from '../kernel/database/copy-text.ts';
import { copyInto } from '../kernel/database/copy.ts';
import type { Db, Tx } from '../kernel/database/db.ts';
import type { PageRequest } from '../kernel/http/page.ts';
import { isUuid } from '../kernel/values/ids.ts';

/** The columns that are written for a request. */
export type RequestColumns = {
  chain_id: string;
  received_at: string;
  request_id: string;
  method: string;
  path: string;
  query: string | null;
  status: number;
  duration_ms: number;
  caller_kind: 'token' | 'client';
  caller_id: string;
  caller_name: string;
  vendor_id: string | null;
  order_id: string | null;
  error_code: string | null;
  error_detail: string | null;
  /** As JSON text. */
  errors: string | null;
  idempotency: string | null;
  is_aborted: boolean;
  is_streamed: boolean;
  ignored_parameters: string | null;
  ignored_fields: string | null;
  request_body: string | null;
  request_bytes: number | null;
  response_body: string | null;
  response_bytes: number | null;
};

export type RequestRow = Omit<RequestColumns, 'received_at' | 'errors' | 'idempotency' | BodyColumn> & {
  received_at: Date;
  idempotency: 'stored' | 'replayed' | null;
};

type BodyColumn = 'request_body' | 'request_bytes' | 'response_body' | 'response_bytes';

export type RequestDetailsRow = RequestRow & Pick<RequestColumns, BodyColumn> & { errors: InputError[] | null };

export type RequestFilter = {
  search?: string | undefined;
  request_id?: string | undefined;
  order_id?: string | undefined;
  /** The lowest and highest status, inclusive. */
  statuses?: readonly [number, number] | undefined;
  method?: string | undefined;
  vendor_id?: string | undefined;
  caller_id?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
};

type Vendors = readonly string[] | null;

/** Encodes the row as COPY text, with the columns in the order that `copyRequests` expects. */
export function encodeRequest(row: RequestColumns): string {
  return encodeCopyRow([
    row.chain_id,
    row.received_at,
    row.request_id,
    row.method,
    row.path,
    row.query,
    row.status,
    row.duration_ms,
    row.caller_kind,
    row.caller_id,
    row.caller_name,
    row.vendor_id,
    row.order_id,
    row.error_code,
    row.error_detail,
    row.errors,
    row.idempotency,
    row.is_aborted,
    row.is_streamed,
    row.ignored_parameters,
    row.ignored_fields,
    row.request_body,
    row.request_bytes,
    row.response_body,
    row.response_bytes,
  ]);
}

/**
 * The rows can belong to several chains. COPY takes half as long as an INSERT with arrays, both in PostgreSQL and in
 * this process.
 */
export function copyRequests(tx: Tx, rows: Buffer): Promise<void> {
  return copyInto(
    tx,
    'requests (chain_id, received_at, request_id, method, path, query, status, duration_ms, caller_kind, caller_id, caller_name, vendor_id, order_id, error_code, error_detail, errors, idempotency, is_aborted, is_streamed, ignored_parameters, ignored_fields, request_body, request_bytes, response_body, response_bytes)',
    rows,
  );
}

/** Adds to the number of dropped requests for each of these chains. */
export function addDropped(tx: Tx, dropped: ReadonlyMap<string, number>): void {
  for (const [chainId, count] of [...dropped].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    tx.send(
      `insert into dropped_requests (chain_id, hour, count) values ($1, date_trunc('hour', now()), $2)
       on conflict (chain_id, hour) do update set count = dropped_requests.count + excluded.count`,
      [chainId, count],
    );
  }
}

export async function countDropped(db: Db, chainId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    'select coalesce(sum(count), 0)::float8 as count from dropped_requests where chain_id = $1',
    [chainId],
  );
  return rows[0]?.count ?? 0;
}

const listFields = `chain_id, received_at, request_id, method, path, query, status, duration_ms, caller_kind, caller_id,
  caller_name, vendor_id, order_id, error_code, error_detail, idempotency, is_aborted, is_streamed, ignored_parameters,
  ignored_fields`;

/**
 * Contains only the conditions that the filter needs. With conditions such as `$4 is null or request_id = $4`, a
 * prepared statement could not use an index. Null `vendorIds` means all vendors. A caller limited to some vendors does
 * not see requests without a vendor.
 */
function conditions(chainId: string, vendorIds: Vendors, filter: RequestFilter): { sql: string; values: unknown[] } {
  const values: unknown[] = [chainId];
  const parts = ['chain_id = $1'];
  const add = (part: (parameter: string) => string, value: unknown) => {
    if (value !== undefined) parts.push(part(`$${values.push(value)}`));
  };
  const { search, statuses } = filter;
  add((ids) => `vendor_id = any (${ids})`, vendorIds ?? undefined);
  if (search !== undefined && isUuid(search)) {
    add((id) => `(request_id = ${id}::text or order_id = ${id}::text::uuid)`, search);
  } else {
    add((id) => `request_id = ${id}`, search);
  }
  add((id) => `request_id = ${id}`, filter.request_id);
  add((id) => `order_id = ${id}`, filter.order_id);
  add((min) => `status >= ${min}`, statuses?.[0]);
  add((max) => `status <= ${max}`, statuses?.[1]);
  // Matches the condition of the partial index on failed requests.
  if (statuses && statuses[0] >= 400) parts.push('status >= 400');
  add((method) => `method = ${method}`, filter.method);
  add((id) => `vendor_id = ${id}`, filter.vendor_id);
  add((id) => `caller_id = ${id}`, filter.caller_id);
  add((time) => `received_at >= ${time}`, filter.since);
  add((time) => `received_at < ${time}`, filter.until);
  return { sql: parts.join(' and '), values };
}

/** There are more than a thousand combinations of filters. */
const unprepared = { prepare: false } as const;

/** Newest first. */
export function listRequests(
  db: Db,
  chainId: string,
  vendorIds: Vendors,
  filter: RequestFilter,
  page: PageRequest,
): Promise<RequestRow[]> {
  const { sql, values } = conditions(chainId, vendorIds, filter);
  return db.query(
    `select ${listFields} from requests where ${sql}
     order by received_at desc, entry_no desc limit $${values.push(page.pageSize)} offset $${values.push(page.offset)}`,
    values,
    unprepared,
  );
}

export async function countRequests(
  db: Db,
  chainId: string,
  vendorIds: Vendors,
  filter: RequestFilter,
): Promise<number> {
  const { sql, values } = conditions(chainId, vendorIds, filter);
  const text = `select count(*)::int as count from requests where ${sql}`;
  const rows = await db.query<{ count: number }>(text, values, unprepared);
  return rows[0]?.count ?? 0;
}

/** The request with this id that was received at `receivedAt`, or the newest one if `receivedAt` is undefined. */
export async function findRequest(
  db: Db,
  chainId: string,
  vendorIds: Vendors,
  requestId: string,
  receivedAt: Date | undefined,
): Promise<RequestDetailsRow | undefined> {
  const rows = await db.query<RequestDetailsRow>(
    `select ${listFields}, errors, request_body, request_bytes, response_body, response_bytes from requests
     where chain_id = $1 and ($2::text[] is null or vendor_id = any ($2)) and request_id = $3
       and ($4::timestamptz is null or received_at = $4)
     order by received_at desc, entry_no desc limit 1`,
    [chainId, vendorIds, requestId, receivedAt],
  );
  return rows[0];
}

/** A PUT request for an order. */
export type OrderPut = Pick<RequestRow, 'request_id' | 'received_at' | 'status'> & { order_id: string };

/**
 * The first 20 and the last 20 PUT requests for each of these orders, oldest first. A request appears in the log about
 * a second after its response.
 */
export function listOrderPuts(db: Db, chainId: string, orderIds: string[]): Promise<OrderPut[]> {
  return db.query(
    `select order_id, request_id, received_at, status from (
       select order_id, request_id, received_at, status, entry_no,
         row_number() over (partition by order_id order by received_at, entry_no) as no_from_first,
         row_number() over (partition by order_id order by received_at desc, entry_no desc) as no_from_last
       from requests where chain_id = $1 and order_id = any ($2::uuid[]) and method = 'PUT'
     ) puts
     where no_from_first <= 20 or no_from_last <= 20
     order by received_at, entry_no`,
    [chainId, orderIds],
  );
}

/** The chains with entries in the log, found with a skip scan of the index. */
export async function listLoggedChains(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ chain_id: string }>(
    `with recursive logged as (
       (select chain_id from requests order by chain_id limit 1)
       union all
       select (select r.chain_id from requests r where r.chain_id > logged.chain_id order by r.chain_id limit 1)
       from logged where logged.chain_id is not null
     )
     select chain_id from logged where chain_id is not null`,
  );
  return rows.map((row) => row.chain_id);
}

export function deleteOldRequests(tx: Tx, chainId: string, days: number): Promise<number> {
  return countAffected(
    tx,
    'delete from requests where chain_id = $1 and received_at < now() - make_interval(days => $2)',
    [chainId, days],
  );
}

/** Deletes all successful requests except the newest `rows`. */
export function deleteExcessSuccesses(tx: Tx, chainId: string, rows: number): Promise<number> {
  return countAffected(
    tx,
    `delete from requests where chain_id = $1 and status < 400 and (received_at, entry_no) <= (
       select received_at, entry_no from requests where chain_id = $1 and status < 400
       order by received_at desc, entry_no desc offset $2 limit 1)`,
    [chainId, rows],
  );
}

/** Deletes all failed requests except the newest `rows`. */
export function deleteExcessFailures(tx: Tx, chainId: string, rows: number): Promise<number> {
  return countAffected(
    tx,
    `delete from requests where chain_id = $1 and status >= 400 and (received_at, entry_no) <= (
       select received_at, entry_no from requests where chain_id = $1 and status >= 400
       order by received_at desc, entry_no desc offset $2 limit 1)`,
    [chainId, rows],
  );
}

/** Deletes all bodies except those of the newest `rows` requests with bodies. */
export function deleteExcessBodies(tx: Tx, chainId: string, rows: number): Promise<number> {
  return countAffected(
    tx,
    `update requests set request_body = null, response_body = null
     where chain_id = $1 and (request_body is not null or response_body is not null) and (received_at, entry_no) <= (
       select received_at, entry_no from requests
       where chain_id = $1 and (request_body is not null or response_body is not null)
       order by received_at desc, entry_no desc offset $2 limit 1)`,
    [chainId, rows],
  );
}

export function deleteOldDropped(tx: Tx, days: number): Promise<number> {
  return countAffected(tx, 'delete from dropped_requests where hour < now() - make_interval(days => $1)', [days]);
}
