-- How a test order from the portal is expected to end.
create table test_orders (
  chain_id uuid not null,
  order_id uuid not null,
  expected jsonb not null,
  primary key (chain_id, order_id),
  foreign key (chain_id, order_id) references orders (chain_id, order_id) on delete cascade
);
