-- The strongest lock is taken first, so that the processes of the previous version cannot cause a deadlock.
lock table orders in access exclusive mode;

-- What an order is found by, written once when it is placed. In a table of its own, so that a change of an order's
-- status does not write to the trigram index. See orders/rules/search.ts.
create table order_search (
  chain_id uuid not null,
  order_id uuid not null,
  vendor_id text collate "C" not null,
  created_at timestamptz not null,
  -- Lower case.
  order_code text collate "C" not null,
  external_order_id text collate "C",
  -- The customer's names, folded.
  name text not null,
  -- The digits of the phone number without leading zeros, last digit first.
  phone text collate "C",
  primary key (chain_id, order_id),
  foreign key (chain_id, order_id) references orders (chain_id, order_id) on delete cascade
);

insert into order_search (chain_id, order_id, vendor_id, created_at, order_code, external_order_id, name, phone)
select chain_id, order_id, vendor_id, created_at, lower(order_code), external_order_id,
  trim(regexp_replace(translate(regexp_replace(lower(normalize(
    concat_ws(' ', customer ->> 'first_name', customer ->> 'last_name'), nfkd)), '[\u0300-\u036f\u064b-\u065f\u0670\u0640]', '', 'g'),
    'ςةى', 'σهي'), '\s+', ' ', 'g')),
  nullif(reverse(regexp_replace(regexp_replace(
    translate(customer ->> 'phone_number', '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'), '\D', '', 'g'), '^0+', '')), '')
from orders;

create index order_search_code on order_search (chain_id, order_code) include (vendor_id, created_at, order_id);
create index order_search_external on order_search (chain_id, external_order_id) where external_order_id is not null;
create index order_search_phone on order_search (chain_id, phone) where phone is not null;
create index order_search_name on order_search using gin (chain_id, name gin_trgm_ops);

drop index orders_code;
drop index orders_external;
drop index orders_phone;

-- Orders of all stores, newest first.
create index orders_chain_newest on orders (chain_id, created_at desc, order_id desc);
