-- Events that only the platform sees. Order events that partners see too are in the table events; both tables take their
-- numbers from the same sequence, so events about one order are published in the order in which they were written.
create table platform_events (
  chain_id uuid not null references chains,
  event_id uuid not null,
  event_no bigint not null,
  type text not null,
  vendor_id text collate "C",
  order_id uuid,
  -- What the event is about. Events with the same subject are delivered in sequence.
  subject text not null,
  body json not null,
  created_at timestamptz not null default now(),
  position bigint,
  primary key (chain_id, event_id)
);
create index platform_events_unpublished on platform_events (event_no) where position is null;
create index platform_events_feed on platform_events (position) where position is not null;
create index platform_events_chain on platform_events (chain_id, position) where position is not null;
create index platform_events_age on platform_events (created_at);
create index events_of_all_chains on events (position) where position is not null and order_id is not null;

-- Where events are sent for the platform. The endpoint of a delivery to it has the same id.
create table platform_webhooks (
  webhook_id uuid primary key,
  description text,
  url text not null,
  event_types text[] not null,
  secret_sealed bytea,
  signing_sealed bytea not null,
  previous_signing_sealed bytea,
  previous_signing_until timestamptz,
  -- Increases with each new URL, so that results of requests to an earlier one are ignored.
  address_no int not null default 1,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('GONE', 'FAILING', 'MANUAL')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((disabled_at is null) = (disabled_reason is null))
);

-- A delivery to the platform has an id of its own, because an event can be sent to several of its webhooks.
alter table deliveries add column event_id uuid;
alter table deliveries add column is_platform boolean not null default false;
create index deliveries_platform on deliveries (endpoint_id, delivery_id) where is_platform;

-- When the platform last read a type of event in its feed. Products are followed only while their events are read or sent.
create table platform_feed_reads (
  type text primary key,
  read_at timestamptz not null
);

-- Up to where a chain's product changes have been turned into events. A null cursor starts with the next change.
create table product_event_cursors (
  chain_id uuid primary key references chains,
  cursor jsonb,
  catalog_position bigint not null default 0,
  promotion_position bigint not null default 0,
  has_more boolean not null default false,
  due_at timestamptz not null default now(),
  claim bigint not null default 0
);

-- The last event about a promotion that was recorded.
alter table promotions add column announced text check (announced in ('STARTED', 'ENDED'));
update promotions set announced = case
  when is_cancelled or end_time <= now() then 'ENDED'
  when is_published and start_time <= now() then 'STARTED' end;
create index promotions_unannounced on promotions (start_time)
  where announced is null and is_published and not is_cancelled;
create index promotions_announced on promotions (announced, end_time) where announced is not null;
create index promotions_stopped on promotions (chain_id) where is_cancelled and announced = 'STARTED';

create index outlet_statuses_reopening on outlet_statuses (closed_until) where closed_until is not null;
