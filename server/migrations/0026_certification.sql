-- A mistake that a certification makes on purpose in the first delivery of an event. HELD: not sent until it is resent.
-- FORGED: the first attempt has an invalid signature. STALE: the first attempt has an old timestamp.
alter table events add column staged_fault text check (staged_fault in ('HELD', 'FORGED', 'STALE'));
alter table deliveries add column staged_fault text check (staged_fault in ('HELD', 'FORGED', 'STALE'));

-- A run of all scripted test orders against the receiver and the device of one store.
create table certifications (
  chain_id uuid not null,
  certification_id uuid not null,
  vendor_id text collate "C" not null,
  status text not null default 'RUNNING' check (status in ('RUNNING', 'PASSED', 'FAILED', 'STOPPED')),
  step_seconds integer not null check (step_seconds > 0),
  started_by text not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (chain_id, certification_id),
  foreign key (chain_id, vendor_id) references vendors (chain_id, vendor_id),
  check ((status = 'RUNNING') = (finished_at is null))
);
create unique index certifications_running on certifications (chain_id, vendor_id) where status = 'RUNNING';
create index certifications_age on certifications (created_at);

-- One test order of a certification, and how far it is.
create table certification_scenarios (
  chain_id uuid not null,
  certification_id uuid not null,
  scenario_no integer not null,
  name text not null,
  status text not null default 'RUNNING' check (status in ('RUNNING', 'PASSED', 'FAILED', 'SKIPPED')),
  order_id uuid,
  -- What the device is to do with the order; see certification/rules/plan.ts.
  plan jsonb,
  -- When the current step started, and when Aisle last acted in the scenario.
  step_started_at timestamptz not null default now(),
  acted_at timestamptz not null default now(),
  -- The results of the steps that have ended. Not jsonb, which rejects U+0000: a response may contain it.
  steps json not null default '[]',
  primary key (chain_id, certification_id, scenario_no),
  foreign key (chain_id, certification_id) references certifications on delete cascade
);
