-- Failed sign-ins and token requests, by account and network address. Losing them in a crash does no harm, so the table
-- is not written to the WAL. The account is a hash of the email address, or a client id.
create unlogged table failed_attempts (
  account text collate "C" not null,
  network text collate "C" not null,
  failures int not null,
  last_failed_at timestamptz not null,
  blocked_until timestamptz not null,
  primary key (account, network)
) with (fillfactor = 50);
