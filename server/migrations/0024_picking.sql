-- What the pickers of a store share while an order is picked. All rows are deleted with the order.

create table picking_settings (
  chain_id uuid primary key references chains,
  embedded_barcodes jsonb not null,
  updated_at timestamptz not null default now()
);

-- The version rises with every change of the lines or the pickers. Changes are made under the lock of the order's row.
create table pickings (
  chain_id uuid not null,
  order_id uuid not null,
  version integer not null,
  mark_count integer not null,
  primary key (chain_id, order_id),
  foreign key (chain_id, order_id) references orders (chain_id, order_id) on delete cascade
);

create table picking_claims (
  chain_id uuid not null,
  order_id uuid not null,
  actor text not null,
  name text not null,
  claimed_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (chain_id, order_id, actor),
  foreign key (chain_id, order_id) references orders (chain_id, order_id) on delete cascade
);

-- The last mark of each line: an item of the order, or a product that a picker added.
create table picking_lines (
  chain_id uuid not null,
  order_id uuid not null,
  line_id text collate "C" not null,
  line_no integer not null,
  state text not null check (state in ('PENDING', 'IN_CART', 'NOT_FOUND', 'REPLACED', 'ADDED', 'REMOVED')),
  quantity integer,
  weight numeric(10, 3),
  sku text collate "C",
  replacement_sku text collate "C",
  replacement_quantity integer,
  replacement_weight numeric(10, 3),
  scanned_codes text[] not null,
  mark_id uuid not null,
  marked_at timestamptz not null,
  received_at timestamptz not null default now(),
  actor text not null,
  actor_name text not null,
  primary key (chain_id, order_id, line_id),
  foreign key (chain_id, order_id) references orders (chain_id, order_id) on delete cascade,
  check ((state = 'REPLACED') = (replacement_sku is not null)),
  check (state <> 'ADDED' or sku is not null)
);

-- The ids of the marks that were stored, so that a device can send them again.
create table picking_marks (
  chain_id uuid not null,
  order_id uuid not null,
  mark_id uuid not null,
  mark_no integer not null,
  primary key (chain_id, order_id, mark_id),
  foreign key (chain_id, order_id) references orders (chain_id, order_id) on delete cascade
);
