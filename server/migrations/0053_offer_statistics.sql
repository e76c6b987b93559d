-- A vendor belongs to one chain. Without knowing that, the planner estimates a vendor's offers at a fraction of what they
-- are, then reads all of them for a search, and the estimated number of results is as wrong.
create statistics offers_of_vendor (dependencies) on chain_id, vendor_id from offers;

analyze offers (chain_id, vendor_id);
