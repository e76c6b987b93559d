-- The ids of orders contain the last digits of their chain's id, so that an order can be found by its id alone without
-- asking every node of a distributed database.
create index chains_by_end on chains (right(chain_id::text, 4));
