-- What keeps large chains quick: figures that are counted when something happens, and indexes for what people look for.

-- The figures of the charts. See server/src/tallies/queries.ts.

-- Written by the transaction that changes something: what becomes more, and what less. Only inserted into, so that no
-- two transactions wait for each other. Gone as soon as it is folded into the sums.
create table tally_changes (
  chain_id uuid not null,
  change_no bigint generated always as identity,
  -- Null: of the chain as a whole.
  vendor_id text collate "C",
  -- The quarter of an hour in which the order was placed, or the attempt made. No time zone divides one.
  quarter timestamptz not null,
  received integer not null default 0,
  ready_for_pickup integer not null default 0,
  dispatched integer not null default 0,
  delivered integer not null default 0,
  picked_up integer not null default 0,
  cancelled integer not null default 0,
  lines_ordered integer not null default 0,
  lines_picked integer not null default 0,
  lines_not_found integer not null default 0,
  lines_replaced integer not null default 0,
  lines_added integer not null default 0,
  attempts_succeeded integer not null default 0,
  attempts_failed integer not null default 0,
  -- Of a successful attempt.
  took_ms integer,
  primary key (chain_id, change_no)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- The sums of each vendor, and under '' those of the chain with all its vendors.
create table tallies (
  chain_id uuid not null,
  vendor_id text collate "C" not null,
  quarter timestamptz not null,
  received integer not null,
  ready_for_pickup integer not null,
  dispatched integer not null,
  delivered integer not null,
  picked_up integer not null,
  cancelled integer not null,
  lines_ordered integer not null,
  lines_picked integer not null,
  lines_not_found integer not null,
  lines_replaced integer not null,
  lines_added integer not null,
  attempts_succeeded integer not null,
  attempts_failed integer not null,
  primary key (chain_id, vendor_id, quarter)
) with (fillfactor = 70);

-- How many successful attempts of a day (UTC) took how long.
create table tally_times (
  chain_id uuid not null,
  vendor_id text collate "C" not null,
  day date not null,
  took_ms integer not null,
  attempts integer not null,
  primary key (chain_id, vendor_id, day, took_ms)
) with (fillfactor = 70);

-- What has happened so far.
insert into tallies
select o.chain_id, scope.vendor_id, date_bin('15 minutes', o.created_at, 'epoch'),
  count(*) filter (where status = 'RECEIVED'), count(*) filter (where status = 'READY_FOR_PICKUP'),
  count(*) filter (where status = 'DISPATCHED'), count(*) filter (where status = 'DELIVERED'),
  count(*) filter (where status = 'PICKED_UP'), count(*) filter (where status = 'CANCELLED'),
  coalesce(sum(lines.ordered), 0), coalesce(sum(lines.picked), 0), coalesce(sum(lines.not_found), 0),
  coalesce(sum(lines.replaced), 0), coalesce(sum(lines.added), 0), 0, 0
from orders o
cross join lateral (values (o.vendor_id), ('')) as scope (vendor_id)
left join lateral (
  select count(*) filter (where line.status <> 'ADDITION' and line."replacedId" is null) as ordered,
    count(*) filter (where line.status = 'IN_CART' and line."replacedId" is null) as picked,
    count(*) filter (where line.status = 'NOT_FOUND') as not_found,
    count(*) filter (where line.status = 'REPLACED') as replaced,
    count(*) filter (where line.status = 'ADDITION') as added
  from jsonb_to_recordset(o.items) as line (status text, "replacedId" text)
) lines on o.status in ('READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'PICKED_UP')
group by 1, 2, 3;

insert into tallies
select a.chain_id, scope.vendor_id, date_bin('15 minutes', a.started_at, 'epoch'), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  count(*) filter (where a.outcome = 'success'), count(*) filter (where a.outcome <> 'success')
from delivery_attempts a join deliveries d using (chain_id, delivery_id)
cross join lateral (values (d.vendor_id), ('')) as scope (vendor_id)
where scope.vendor_id is not null
group by 1, 2, 3
on conflict (chain_id, vendor_id, quarter) do update
set attempts_succeeded = excluded.attempts_succeeded, attempts_failed = excluded.attempts_failed;

insert into tally_times
select a.chain_id, scope.vendor_id, (a.started_at at time zone 'UTC')::date, a.duration_ms, count(*)
from delivery_attempts a join deliveries d using (chain_id, delivery_id)
cross join lateral (values (d.vendor_id), ('')) as scope (vendor_id)
where scope.vendor_id is not null and a.outcome = 'success'
group by 1, 2, 3, 4;

-- Deliveries that are not through, by when they were made: few, whatever the history.
drop index deliveries_open;
create index deliveries_open on deliveries (chain_id, lane_id, position) include (created_at, vendor_id)
  where status in ('PENDING', 'FAILED');
create index deliveries_exhausted on deliveries (chain_id, created_at) include (vendor_id) where status = 'EXHAUSTED';

-- An order is looked for by what people have at hand: its code (or the beginning), the phone number, the chain's own id.
create index orders_code on orders (chain_id, vendor_id, lower(order_code) collate "C");
create index orders_phone on orders (chain_id, vendor_id, (customer ->> 'phone_number'));
create index orders_external on orders (chain_id, vendor_id, external_order_id) where external_order_id is not null;
