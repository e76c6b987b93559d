-- Chains, vendors and who may call; what every request needs: idempotency keys, rate limits; and the queue.

create table chains (
  chain_id uuid primary key,
  name text not null,
  profile text not null default 'strict' check (profile in ('strict', 'tolerant')),
  country_code text,
  created_at timestamptz not null default now()
);

create table vendors (
  chain_id uuid not null references chains,
  vendor_id text collate "C" not null,
  external_id text collate "C",
  name text not null,
  currency text not null,
  country_code text not null,
  locale text not null,
  timezone text not null,
  transport_type text not null check (transport_type in ('LOGISTICS_DELIVERY', 'VENDOR_DELIVERY')),
  sales_buffer integer not null default 0,
  unit_overpick integer not null default 0,
  weight_tolerance numeric(4, 3) not null default 0.2,
  weighted_replacement boolean not null default false,
  integration_type text check (integration_type in ('PICKING')),
  integration_enabled boolean not null default false,
  test boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index vendors_external_id on vendors (chain_id, external_id);
-- Last: of two indexes that cost the same the planner takes the newer one, and foreign keys need this one.
alter table vendors add primary key (chain_id, vendor_id);

-- Credentials are the one thing that is looked up before the chain is known: a token decides the chain.
-- These tables stay small and are not spread over machines with the rest.
create table api_tokens (
  chain_id uuid not null references chains,
  token_id uuid not null,
  token_hash bytea not null unique,
  prefix text not null,
  name text not null,
  scopes text[] not null,
  vendor_ids text[],
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (chain_id, token_id)
);

create table clients (
  chain_id uuid not null references chains,
  client_id text not null unique,
  secret_hash text not null,
  name text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (chain_id, client_id)
);

create table access_tokens (
  chain_id uuid not null,
  token_hash bytea primary key,
  client_id text not null,
  expires_at timestamptz not null,
  foreign key (chain_id, client_id) references clients on delete cascade
);
create index access_tokens_client on access_tokens (chain_id, client_id);
create index access_tokens_expiry on access_tokens (expires_at);

create table platform_tokens (
  token_hash bytea primary key,
  name text not null,
  created_at timestamptz not null default now()
);

create table users (
  chain_id uuid not null references chains,
  user_id uuid not null,
  email text not null unique,
  name text not null,
  role text not null check (role in ('OWNER', 'MANAGER', 'VIEWER')),
  password_hash text not null,
  created_at timestamptz not null default now(),
  primary key (chain_id, user_id)
);

-- The answer to a request with an idempotency key, written in the transaction of its effect. It may hold a secret, so
-- it is encrypted with what only the caller knows: the key itself, of which we keep the hash.
create table idempotency_keys (
  chain_id uuid not null,
  request text not null,
  key_hash bytea not null,
  body_hash bytea not null,
  sealed bytea not null,
  created_at timestamptz not null default now(),
  primary key (chain_id, request, key_hash)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

-- Requests used in the running minute. Unlogged: after a crash the minute starts anew.
create unlogged table rate_windows (
  subject text not null,
  class text not null,
  window_start timestamptz not null,
  used bigint not null,
  granted bigint not null,
  primary key (subject, class)
) with (fillfactor = 50);

-- What is to be done in the background; see kernel/queue.ts for how it is used.
create table queue_tasks (
  task_id bigint generated always as identity primary key,
  chain_id uuid not null,
  lane text collate "C" not null,
  -- Tasks of one batch run together; a lane takes one batch after the other.
  batch text collate "C" not null,
  kind text not null,
  payload jsonb not null,
  run_at timestamptz not null,
  claim bigint not null default 0,
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null default now()
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 200);
create index queue_tasks_due on queue_tasks (chain_id, run_at);
create index queue_tasks_lane on queue_tasks (lane, task_id);

create table queue_dead (
  task_id bigint primary key,
  chain_id uuid not null,
  lane text,
  kind text not null,
  payload jsonb not null,
  attempts integer not null,
  last_error text not null,
  created_at timestamptz not null,
  died_at timestamptz not null default now()
);

-- When each piece of housekeeping ran last: one row a piece, so that several workers share one schedule.
create table schedules (
  name text primary key,
  next_run_at timestamptz not null default now(),
  last_run_at timestamptz,
  last_duration_ms integer,
  last_result text
);
