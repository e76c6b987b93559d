-- The console: who changed what, and sessions in which the operator's users act on behalf of a chain.

create table audit_entries (
  entry_id uuid primary key,
  -- The zero id stands for the platform.
  chain_id uuid not null,
  at timestamptz not null default now(),
  actor_kind text not null,
  actor_id text not null,
  actor_name text not null,
  is_on_behalf boolean not null default false,
  action text not null,
  targets jsonb not null,
  details jsonb,
  address text,
  request_id text
);
create index audit_entries_by_time on audit_entries (at, entry_id);
create index audit_entries_by_chain on audit_entries (chain_id, at, entry_id);

-- Constraints cannot keep a row from being changed or deleted. A privilege cannot do it either, because the server owns
-- the table and, with the embedded database, is a superuser.
create function reject_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'entries of the audit log cannot be changed or deleted';
end $$;
create trigger audit_entries_are_kept before update or delete on audit_entries
  for each row execute function reject_audit_change();
create trigger audit_entries_are_not_truncated before truncate on audit_entries
  for each statement execute function reject_audit_change();

-- user_id is a user of the console, whose chain is the platform.
create table support_sessions (
  chain_id uuid not null references chains,
  session_hash bytea not null,
  session_id uuid not null,
  user_id uuid not null,
  reason text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (chain_id, session_id),
  unique (session_hash)
);
