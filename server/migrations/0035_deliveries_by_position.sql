-- Deleting or adding a webhook ends or moves its pending deliveries a few at a time, in the order of their positions.
-- The second condition excludes this index from the plans of statements that look up a lane. There are often no pending
-- deliveries at all, and then all plans seem to have the same cost: with this index, such a statement would read every
-- pending delivery in the chain for each lane, until the table is analyzed again.
create index deliveries_endpoint on deliveries (chain_id, endpoint_id, position)
  where status in ('PENDING', 'FAILED') and endpoint_id is not null;

-- Resending failed deliveries reads a few of them at a time, in the order of their positions.
create index deliveries_failed on deliveries (chain_id, position) where status in ('FAILED', 'EXHAUSTED');
