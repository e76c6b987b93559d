-- SFTP users and their public keys. The login name decides the chain, so it is unique across chains; it ends with a
-- generated suffix, so that creating a user does not reveal the names that other chains use. The revision changes with
-- everything that affects a session, so that open sessions of an outdated user can be found and closed.
create table sftp_users (
  chain_id uuid not null references chains,
  sftp_user_id uuid not null,
  name text not null,
  username text collate "C" not null unique,
  password_hash text,
  scopes text[] not null,
  vendor_ids text[],
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  last_login_at timestamptz,
  primary key (chain_id, sftp_user_id)
);

create table sftp_public_keys (
  chain_id uuid not null,
  sftp_user_id uuid not null,
  key_id uuid not null,
  type text not null,
  key bytea not null,
  fingerprint text not null,
  comment text not null,
  created_at timestamptz not null default now(),
  primary key (chain_id, sftp_user_id, key_id),
  unique (chain_id, sftp_user_id, fingerprint),
  foreign key (chain_id, sftp_user_id) references sftp_users on delete cascade
);

-- The address and the host keys of the SFTP servers. A running server renews its rows every minute, so that every API
-- process can show them.
create table sftp_host_keys (
  fingerprint text primary key,
  type text not null,
  host text not null,
  port integer not null,
  seen_at timestamptz not null default now()
);
