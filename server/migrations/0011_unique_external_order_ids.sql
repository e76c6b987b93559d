-- A chain has one order per external id. Earlier versions did not check that, so of several orders with the same id, all
-- but the oldest are marked as exceptions.
alter table orders add column has_repeated_external_id boolean not null default false;

update orders o set has_repeated_external_id = true
from (
  select chain_id, order_id,
    row_number() over (partition by chain_id, external_order_id order by created_at, order_id) as position
  from orders where external_order_id is not null
) numbered
where o.chain_id = numbered.chain_id and o.order_id = numbered.order_id and numbered.position > 1;

create unique index orders_external_id on orders (chain_id, external_order_id)
  where external_order_id is not null and not has_repeated_external_id;

-- Both columns were set by different clocks.
update jobs set updated_at = created_at where updated_at < created_at;
update promotions set updated_at = created_at where updated_at < created_at;
