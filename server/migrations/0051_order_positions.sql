-- The last position of the changes to orders in all chains (orders/change-queries.ts). Positions are times in
-- microseconds, so a sequence that is behind is corrected by the clock.
create sequence order_positions;

select setval('order_positions', greatest(1, (select coalesce(max(position), 0) from order_changes)));
