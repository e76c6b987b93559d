-- Whether the request log of the chain includes bodies.
alter table chains add column record_bodies boolean not null default false;

-- The request log. Rows are copied in by the thousand per second, so it has few indexes and no foreign key.
create table requests (
  chain_id uuid not null,
  received_at timestamptz not null,
  entry_no bigint generated always as identity,
  request_id text collate "C" not null,
  method text not null,
  path text not null,
  query text,
  status smallint not null,
  duration_ms real not null,
  caller_kind text not null,
  caller_id text collate "C" not null,
  caller_name text not null,
  vendor_id text collate "C",
  order_id uuid,
  error_code text,
  error_detail text,
  -- Not jsonb, which rejects U+0000: a message may quote what a client sent.
  errors json,
  idempotency text,
  is_aborted boolean not null,
  is_streamed boolean not null,
  ignored_parameters text,
  ignored_fields text,
  request_body text,
  request_bytes integer,
  response_body text,
  response_bytes integer,
  primary key (chain_id, received_at, entry_no)
);

create index requests_by_request_id on requests (chain_id, request_id);
create index requests_by_order on requests (chain_id, order_id) where order_id is not null;
create index requests_failed on requests (chain_id, received_at, entry_no) where status >= 400;
create index requests_with_body on requests (chain_id, received_at, entry_no)
  where request_body is not null or response_body is not null;

-- How many requests were not recorded, by hour.
create table dropped_requests (
  chain_id uuid not null,
  hour timestamptz not null,
  count bigint not null,
  primary key (chain_id, hour)
);
