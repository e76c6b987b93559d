-- After how many seconds a rider comes by itself to a test store. Without a row none does.
create table sandbox_riders (
  chain_id uuid not null,
  vendor_id text collate "C" not null,
  after_seconds integer not null check (after_seconds > 0),
  primary key (chain_id, vendor_id),
  foreign key (chain_id, vendor_id) references vendors (chain_id, vendor_id)
);
