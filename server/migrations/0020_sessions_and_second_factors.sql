-- Users can list and end sessions, and a session ends if it is not used. An older version does not update last_used_at.
alter table sessions
  add column session_id uuid not null default gen_random_uuid(),
  add column last_used_at timestamptz not null default now(),
  add column address text,
  add column device text;
create unique index sessions_id on sessions (chain_id, session_id);

-- One-time codes from an authenticator app. The factor is off until the user has entered a first code (confirmed_at).
-- A code is accepted only for a time step after last_step, so that it can be used only once.
create table second_factors (
  chain_id uuid not null,
  user_id uuid not null,
  secret_sealed bytea not null,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  primary key (chain_id, user_id),
  foreign key (chain_id, user_id) references users on delete cascade
);

-- A recovery code is deleted when it is used. It is random and too long to guess, so a plain hash is enough.
create table recovery_codes (
  chain_id uuid not null,
  user_id uuid not null,
  code_hash bytea not null,
  primary key (chain_id, user_id, code_hash),
  foreign key (chain_id, user_id) references second_factors on delete cascade
);

-- The chains whose owners must have a second factor. A new column in chains would break the prepared statements of an
-- older version that is still running.
create table required_second_factors (
  chain_id uuid primary key references chains
);
