-- The highest position of the events that were deleted because of their age, by chain. A reader of a feed whose cursor
-- is before it has missed events. `feed` is 'partner' for the table events, and for the table platform_events
-- 'products' for events about products, which are kept for a shorter time, and 'platform' for all others.
create table deleted_events (
  chain_id uuid not null references chains,
  feed text not null check (feed in ('partner', 'platform', 'products')),
  position bigint not null,
  primary key (chain_id, feed)
);
