-- Walks through everything that changed in a chain. How they work: server/src/kernel/database/positions.ts.

-- The position of the change among all changes to orders of the chain; null until it is placed, after its commit.
alter table order_changes add column position bigint;

update order_changes c set position = p.position
from (
  select chain_id, order_id, revision, (extract(epoch from at) * 1000000)::bigint
    + row_number() over (partition by chain_id order by at, order_id, revision) as position
  from order_changes
) p
where c.chain_id = p.chain_id and c.order_id = p.order_id and c.revision = p.revision;

create unique index order_changes_walk on order_changes (chain_id, position) where position is not null;
create index order_changes_unplaced on order_changes (chain_id, at) where position is null;

-- Which offers a transaction changed. Written by that transaction and only inserted into, so that transactions do not
-- block each other, and deleted as soon as it is placed. An index on offers would cost bulk updates half of their speed.
create table offer_changes (
  chain_id uuid not null,
  change_no bigint generated always as identity,
  -- Null: products were changed, so the offers of all vendors are affected.
  vendor_id text collate "C",
  -- The changed SKUs; if there are many, only the range that contains them.
  skus text[] collate "C",
  low text collate "C",
  high text collate "C",
  -- The updated_at of the changed rows.
  at timestamptz not null,
  primary key (chain_id, change_no),
  check (skus is not null or (low is not null and high is not null))
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- The same changes with their position. Small changes of a vendor that were placed together are one row.
create table placed_offer_changes (
  chain_id uuid not null,
  position bigint not null,
  vendor_id text collate "C",
  skus text[] collate "C",
  low text collate "C",
  high text collate "C",
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (chain_id, position),
  check (skus is not null or (low is not null and high is not null))
);
create index placed_offer_changes_age on placed_offer_changes using brin (position);
