-- Invitations: a link with which a user sets their own password. Only a hash of its token is stored. A user has at most
-- one, so that a new link replaces the old one.
create table invitations (
  chain_id uuid not null,
  user_id uuid not null,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (chain_id, user_id),
  foreign key (chain_id, user_id) references users on delete cascade
);

-- Users whose password was set by another person, and who have to change it. A table of its own, because the previous
-- version reads users while the database is migrated.
create table temporary_passwords (
  chain_id uuid not null,
  user_id uuid not null,
  primary key (chain_id, user_id),
  foreign key (chain_id, user_id) references users on delete cascade
);
