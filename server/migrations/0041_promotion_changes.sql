-- Which promotions changed, started or ended, for storefronts that keep a copy of the catalog. A change gets its position
-- after its commit; how that works: server/src/kernel/database/positions.ts.
create table promotion_changes (
  chain_id uuid not null references chains,
  change_no bigint generated always as identity,
  -- Null: no promotion, only a first position for readers to start at.
  promotion_id uuid,
  -- The products whose prices changed. Null: all products of the promotion. Empty: none.
  skus text[] collate "C",
  position bigint,
  primary key (chain_id, change_no)
);
create unique index promotion_changes_walk on promotion_changes (chain_id, position) where position is not null;
create index promotion_changes_pending on promotion_changes (chain_id, change_no) where position is null;

-- The time up to which starts and ends of promotions have been recorded as changes.
create table promotion_clocks (
  chain_id uuid primary key references chains,
  seen_until timestamptz not null
);
create index promotions_start on promotions (chain_id, start_time);
create index promotions_end on promotions (chain_id, end_time);
