-- The timeline of PostgreSQL on which the latest positions in the feed were assigned. A failover starts a new one.
create table feed_timeline (
  is_only_row boolean primary key default true check (is_only_row),
  timeline integer not null
);
insert into feed_timeline (timeline) values (('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int);
