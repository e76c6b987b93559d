-- Whether the customer is asked before an item is replaced: null, or how long the store waits for an answer and what
-- happens without one. The state of each question is part of its line item.
alter table orders add column approval_terms jsonb;
