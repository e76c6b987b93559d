-- The number of orders of each store on past days (UTC), so that a list of orders does not have to count them all.
create table order_days (
  chain_id uuid not null,
  vendor_id text collate "C" not null,
  day date not null,
  orders integer not null,
  test_orders integer not null,
  primary key (chain_id, vendor_id, day)
);

-- The days of a chain from `first_day` up to, but not including, `end_day` have been counted.
create table counted_days (
  chain_id uuid primary key,
  first_day date not null,
  end_day date not null
);
