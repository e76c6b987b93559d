-- Short-lived tokens for requests that a signed-in user sends outside the portal, such as from the API reference. They
-- end with their session. The user's role and stores are read for every request, so they are not stored here.
create table session_tokens (
  chain_id uuid not null,
  token_hash bytea not null,
  session_id uuid not null,
  expires_at timestamptz not null,
  primary key (token_hash),
  foreign key (chain_id, session_id) references sessions (chain_id, session_id) on delete cascade
);

create index session_tokens_session on session_tokens (chain_id, session_id);
