-- The platform reads the changes to the orders of all chains in the order of their positions. New positions are unique
-- across chains; those that were assigned before are unique only within their chain, so the order's id is added.
create index order_changes_of_all_chains on order_changes (position, order_id) where position is not null;
