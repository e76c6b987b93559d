-- The planner estimates how many products contain a word from a sample of their texts. With the default sample of 100, a
-- word in 1% of the products is often estimated at none, and the search then reads all of them to show a page.
-- A sharded database refuses this statement; its tables keep the default.
do $$
begin
  alter table products alter column search_text set statistics 500;
exception when feature_not_supported then
  raise notice 'products.search_text keeps the default statistics target';
end $$;
