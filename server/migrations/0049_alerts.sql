-- What needs the operator's attention. The zero id stands for the platform. Written together with the events of the alert.
create table alerts (
  chain_id uuid not null references chains,
  alert_id uuid not null,
  kind text not null,
  -- What the alert is about. As long as it is open, there is no second alert with the same cause.
  cause text collate "C" not null,
  vendor_id text collate "C",
  webhook_id uuid,
  url text,
  since timestamptz not null,
  waiting int,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (chain_id, alert_id)
);
create unique index alerts_open on alerts (chain_id, cause) where ended_at is null;
create index alerts_ended on alerts (ended_at) where ended_at is not null;
