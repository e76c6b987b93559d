-- The strongest lock is taken first, so that the processes of the previous version cannot cause a deadlock.
lock table orders in access exclusive mode;

-- What the statistics of a store add up, computed by orders/rules/order-numbers.ts when the store fulfils an order.
-- Deleted if the order is cancelled afterwards. In a table of its own, so that the previous version, which reads all
-- columns of orders with prepared statements, continues to run.
create table order_numbers (
  chain_id uuid not null,
  order_id uuid not null,
  fulfilled_at timestamptz not null,
  revenue numeric(16, 3) not null,
  lines_ordered integer not null,
  lines_picked integer not null,
  lines_not_found integer not null,
  lines_replaced integer not null,
  -- Null for a preorder.
  pick_seconds integer,
  is_late boolean not null,
  -- Contains the numbers, so that they are added up without reading the table itself.
  primary key (chain_id, order_id)
    include (revenue, lines_ordered, lines_picked, lines_not_found, lines_replaced, pick_seconds, is_late),
  foreign key (chain_id, order_id) references orders (chain_id, order_id) on delete cascade
);

insert into order_numbers
select o.chain_id, o.order_id, c.at, n.revenue, n.lines_ordered, n.lines_picked, n.lines_not_found, n.lines_replaced,
  case when promised_for is null then greatest(0, extract(epoch from c.at - created_at))::int end,
  c.at > coalesce(promised_for, created_at + interval '20 minutes')
from orders o
join lateral (
  select max(at) as at from order_changes c
  where c.chain_id = o.chain_id and c.order_id = o.order_id and c.action = 'fulfilled'
) c on c.at is not null
join lateral (
  select
    coalesce(sum((l -> 'picked' ->> 'total')::numeric - (l ->> 'discount')::numeric)
      filter (where l ->> 'status' not in ('NOT_FOUND', 'REPLACED')), 0) as revenue,
    count(*) filter (where is_original) as lines_ordered,
    count(*) filter (where is_original and l ->> 'status' = 'IN_CART') as lines_picked,
    count(*) filter (where l ->> 'status' = 'NOT_FOUND') as lines_not_found,
    count(*) filter (where l ->> 'status' = 'REPLACED') as lines_replaced
  from (
    select l, l ->> 'status' <> 'ADDITION' and l ->> 'replacedId' is null as is_original
    from jsonb_array_elements(o.items) l
  ) lines
) n on true
where o.status <> 'CANCELLED';

-- Also contains what the statistics count, so that they do not read the orders themselves.
drop index orders_newest;
create index orders_newest on orders (chain_id, vendor_id, created_at desc, order_id desc)
  include (status, is_test, currency);
