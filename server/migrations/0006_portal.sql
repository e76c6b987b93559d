-- People who sign in to the portal: when they last did, and the sessions they have.

alter table users add column last_sign_in_at timestamptz;

-- From now on emails are stored in small letters, so that the unique constraint holds whatever way one is typed.
update users set email = lower(email);

-- Like tokens, looked up before the chain is known. Only the hash of what the cookie holds is kept.
create table sessions (
  chain_id uuid not null,
  session_hash bytea primary key,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  foreign key (chain_id, user_id) references users on delete cascade
);
create index sessions_user on sessions (chain_id, user_id);
create index sessions_expiry on sessions (expires_at);
