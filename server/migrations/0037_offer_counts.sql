-- The number of offers of each store, so that a page of a large catalog does not have to count them. A store without a
-- row is counted when its catalog is read.
create table offer_counts (
  chain_id uuid not null,
  vendor_id text collate "C" not null,
  offers integer not null,
  counted_at timestamptz not null default now(),
  primary key (chain_id, vendor_id),
  foreign key (chain_id, vendor_id) references vendors (chain_id, vendor_id) on delete cascade
);

create index offer_counts_by_time on offer_counts (counted_at);

insert into offer_counts (chain_id, vendor_id, offers)
select chain_id, vendor_id, count(*) from offers group by chain_id, vendor_id;
