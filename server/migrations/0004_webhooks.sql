-- Events as a feed, webhooks, and what is sent to them.

-- Places in the feed are given when an event is published; see events/publish-events.ts.
create sequence event_positions;

alter table events
  -- As it was written, byte for byte: every try of a delivery sends the same.
  alter column body type json using body::text::json,
  -- What it is about: events of one order (or job) reach a receiver one after the other.
  add column order_id uuid,
  add column job_id uuid,
  -- Null: written, but not published yet.
  add column position bigint;
update events set job_id = (body ->> 'job_id')::uuid, order_id = (body ->> 'order_id')::uuid;
alter table events add check (num_nonnulls(order_id, job_id) = 1);
drop index events_in_order;
-- Without the chain: whoever publishes does so for all chains, in the order of writing.
create index events_unpublished on events (event_no) where position is null;
create unique index events_feed on events (chain_id, position) where position is not null;
create index events_order on events (chain_id, order_id) where order_id is not null;

-- Where a chain (vendor_id null) or one of its vendors wants to be told, and the secrets, encrypted.
create table webhooks (
  chain_id uuid not null references chains,
  webhook_id uuid not null,
  vendor_id text collate "C",
  environment text not null check (environment in ('staging', 'production')),
  staging_url text,
  production_url text,
  staging_catalog_url text,
  production_catalog_url text,
  -- The Authorization header.
  secret_sealed bytea,
  signing_sealed bytea not null,
  previous_signing_sealed bytea,
  previous_signing_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (chain_id, vendor_id),
  foreign key (chain_id, vendor_id) references vendors,
  check (case environment when 'staging' then staging_url else production_url end is not null)
);
alter table webhooks add primary key (chain_id, webhook_id);

-- The two ends of a webhook, each with a health of its own: a dead catalog address must not stop the orders.
create table endpoints (
  chain_id uuid not null,
  endpoint_id uuid not null,
  webhook_id uuid not null,
  topic text not null check (topic in ('orders', 'catalog')),
  -- Counts the addresses it has had: what became of a try at an old one says nothing about the new one.
  address_no integer not null default 1,
  -- The first failure after the last success.
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('GONE', 'FAILING', 'MANUAL')),
  unique (chain_id, webhook_id, topic),
  foreign key (chain_id, webhook_id) references webhooks on delete cascade,
  check ((disabled_at is null) = (disabled_reason is null))
) with (fillfactor = 70);
alter table endpoints add primary key (chain_id, endpoint_id);

-- One row an event that has somewhere to go, under the id of the event; and one a ping. The endpoint may be gone.
create table deliveries (
  chain_id uuid not null references chains,
  delivery_id uuid not null,
  endpoint_id uuid not null,
  type text not null,
  vendor_id text collate "C",
  order_id uuid,
  job_id uuid,
  -- Deliveries of a lane are sent one after the other, by position.
  lane_id uuid not null,
  position bigint not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'FAILED', 'EXHAUSTED')),
  attempt_count integer not null default 0,
  -- Of these, how many count in the retry schedule: a resend begins it anew.
  tries integer not null default 0,
  last_outcome text,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null default now()
) with (fillfactor = 80);
create index deliveries_open on deliveries (chain_id, lane_id, position) where status in ('PENDING', 'FAILED');
create index deliveries_order on deliveries (chain_id, order_id) where order_id is not null;
create index deliveries_job on deliveries (chain_id, job_id) where job_id is not null;
create index deliveries_age on deliveries (created_at);
alter table deliveries add primary key (chain_id, delivery_id);

create table delivery_attempts (
  chain_id uuid not null,
  delivery_id uuid not null,
  attempt_no integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  outcome text not null,
  http_status integer,
  environment text not null,
  url text not null,
  -- The beginning of what came back, or of what went wrong; for operators only.
  answer bytea,
  primary key (chain_id, delivery_id, attempt_no),
  foreign key (chain_id, delivery_id) references deliveries on delete cascade
);

-- The work of the senders: a lane is an order, a job or a single resend that has something to send. See webhooks/deliver.ts.
create table delivery_lanes (
  chain_id uuid not null,
  lane_id uuid not null,
  endpoint_id uuid not null,
  -- In the past: due. In the future: leased by a sender, or waiting for the next try.
  due_at timestamptz not null default now(),
  is_leased boolean not null default false,
  claim bigint not null default 0
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);
create index delivery_lanes_due on delivery_lanes (chain_id, endpoint_id, due_at);
alter table delivery_lanes add primary key (chain_id, lane_id);
