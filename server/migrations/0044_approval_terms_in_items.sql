-- Processes of an older version read all columns of an order with prepared statements, which fail while they are running
-- if there is a new column. So the terms of the approval are part of the line items instead.
update orders o set items = (
  select jsonb_agg(line || jsonb_build_object('approvalTerms', o.approval_terms) order by n)
  from jsonb_array_elements(o.items) with ordinality as lines (line, n))
where approval_terms is not null;
alter table orders drop column approval_terms;
