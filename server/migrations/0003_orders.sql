-- Whether a store takes orders. A store without a row is open.
create table outlet_statuses (
  chain_id uuid not null,
  vendor_id text collate "C" not null,
  status text not null check (status in ('OPEN', 'CLOSED', 'CLOSED_TODAY', 'CLOSED_UNTIL')),
  closed_reason text,
  -- When it opens again by itself; null: not by itself.
  closed_until timestamptz,
  updated_at timestamptz not null default now(),
  primary key (chain_id, vendor_id),
  foreign key (chain_id, vendor_id) references vendors (chain_id, vendor_id)
);

create table orders (
  chain_id uuid not null,
  order_id uuid not null,
  vendor_id text collate "C" not null,
  order_code text not null,
  external_order_id text,
  status text not null
    check (status in ('RECEIVED', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED', 'PICKED_UP', 'CANCELLED')),
  order_type text not null check (order_type in ('DELIVERY', 'PICKUP')),
  transport_type text not null check (transport_type in ('LOGISTICS_DELIVERY', 'VENDOR_DELIVERY')),
  is_test boolean not null,
  -- Whether a rider has picked it up.
  ridden boolean not null default false,
  promised_for timestamptz,
  comment text,
  -- The store as it was called when the order was placed.
  client jsonb not null,
  customer jsonb,
  currency text not null,
  payment_type text not null,
  delivery_fee numeric(10, 3) not null,
  service_fee numeric(10, 3) not null,
  -- The lines (orders/rules/line.ts): read and written as a whole, under the lock of this row.
  items jsonb not null,
  cancellation jsonb,
  fulfilment text,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (chain_id, order_id),
  foreign key (chain_id, vendor_id) references vendors (chain_id, vendor_id)
) with (fillfactor = 70);
-- A store's orders, newest first, with and without a status.
create index orders_newest on orders (chain_id, vendor_id, created_at desc, order_id desc);
create index orders_by_status on orders (chain_id, vendor_id, status, created_at desc, order_id desc);
-- The platform knows an order by its id alone.
create index orders_by_id on orders (order_id);
create index orders_age on orders (created_at);

-- Who changed what when.
create table order_changes (
  chain_id uuid not null,
  order_id uuid not null,
  revision integer not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  from_status text,
  to_status text not null,
  items jsonb not null,
  event_id uuid,
  event_type text,
  primary key (chain_id, order_id, revision),
  foreign key (chain_id, order_id) references orders (chain_id, order_id) on delete cascade
);
