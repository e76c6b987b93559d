-- Promotions: what they are, what they say of each SKU, and which offers they cover.

alter table jobs drop constraint jobs_type_check;
alter table jobs add constraint jobs_type_check
  check (type in ('CATALOG_UPDATE', 'PRODUCT_CREATION', 'CATALOG_EXPORT', 'PROMOTION'));

create table promotions (
  chain_id uuid not null references chains,
  promotion_id uuid not null,
  -- Of type, display name, vendors and times: the same again is the same promotion.
  identity_hash bytea not null,
  type text not null check (type in ('STRIKETHROUGH', 'SAME_ITEM_BUNDLE')),
  -- Null: all vendors of the chain, those to come included.
  vendor_ids text[],
  reason text,
  display_name jsonb not null,
  start_time timestamptz not null,
  end_time timestamptz not null,
  purchased_quantity integer check (purchased_quantity > 0),
  discounted_quantity integer check (discounted_quantity > 0),
  max_discount_per_order numeric(10, 3) check (max_discount_per_order > 0),
  max_items_per_order integer check (max_items_per_order > 0),
  global_limit integer check (global_limit > 0),
  -- Discounted units that orders have booked; counted only under a global limit, which may be lowered below it.
  global_used bigint not null default 0 check (global_used >= 0),
  -- A new promotion counts from the moment its first job has applied all of it.
  is_published boolean not null default false,
  is_cancelled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (start_time < end_time),
  check (type = 'STRIKETHROUGH' or (purchased_quantity is not null and discounted_quantity is not null))
) with (fillfactor = 70);
create unique index promotions_identity on promotions (chain_id, identity_hash);
create index promotions_newest on promotions (chain_id, created_at desc, promotion_id desc);
-- Last: of two indexes that cost the same the planner takes the newer one, and foreign keys need this one.
alter table promotions add primary key (chain_id, promotion_id);

-- What was asked for, SKU by SKU: for those who read a promotion.
create table promotion_entries (
  chain_id uuid not null,
  promotion_id uuid not null,
  sku text collate "C" not null,
  discount_subtype text not null check (discount_subtype in ('FINAL_PRICE', 'PERCENTAGE', 'ABSOLUTE')),
  discount_value numeric(10, 3) not null check (discount_value >= 0),
  max_quantity integer check (max_quantity > 0),
  primary key (chain_id, promotion_id, sku),
  foreign key (chain_id, promotion_id) references promotions on delete cascade
);

-- What counts: the offers a promotion covers, millions of them. A promotion of all vendors has one row a SKU, with the
-- vendor '*'. The end stands in the key, so that a look for what runs passes over what has ended. No foreign key: its
-- check for every row would cost as much as the row, and a row without its promotion covers nothing (every look joins it).
create table promotion_offers (
  chain_id uuid not null,
  vendor_id text collate "C" not null,
  sku text collate "C" not null,
  end_time timestamptz not null,
  promotion_id uuid not null,
  start_time timestamptz not null,
  discount_subtype text not null,
  discount_value numeric(10, 3) not null,
  max_quantity integer,
  primary key (chain_id, vendor_id, sku, end_time, promotion_id)
);
-- For housekeeping: tells roughly where rows that have ended lie, and costs next to nothing to keep.
create index promotion_offers_end on promotion_offers using brin (end_time);
