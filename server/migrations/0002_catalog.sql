-- Jobs with their payloads and files, events, categories, products and offers.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Every change of a catalog takes a number when it is accepted; the higher one was accepted later.
create sequence acceptance_numbers;

create table jobs (
  chain_id uuid not null references chains,
  job_id uuid not null,
  type text not null check (type in ('CATALOG_UPDATE', 'PRODUCT_CREATION', 'CATALOG_EXPORT')),
  status text not null default 'QUEUED' check (status in ('QUEUED', 'IN_PROGRESS', 'COMPLETED', 'FAILED')),
  vendor_id text,
  -- Every vendor the job touches: a token limited to some vendors sees only jobs within them.
  vendor_ids text[] not null,
  acceptance_no bigint not null default nextval('acceptance_numbers'),
  -- Tasks of this job that are not finished yet.
  open_tasks integer not null,
  total integer not null,
  succeeded integer not null default 0,
  unchanged integer not null default 0,
  failed integer not null default 0,
  error text,
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  file_expires_at timestamptz,
  primary key (chain_id, job_id),
  check (succeeded + unchanged + failed <= total)
) with (fillfactor = 70);
create index jobs_newest on jobs (chain_id, created_at desc, job_id desc);
create index jobs_age on jobs (created_at);

-- What a job has still to do: compressed by us, so PostgreSQL must not try again.
create table job_chunks (
  chain_id uuid not null,
  job_id uuid not null,
  chunk_no integer not null,
  kind text not null,
  bytes bytea not null,
  done boolean not null default false,
  primary key (chain_id, job_id, kind, chunk_no),
  foreign key (chain_id, job_id) references jobs on delete cascade
);
alter table job_chunks alter column bytes set storage external;

-- The file of a job: parts in order, each a gzip of whole lines.
create table job_file_parts (
  chain_id uuid not null,
  job_id uuid not null,
  part_no bigint not null,
  bytes bytea not null,
  primary key (chain_id, job_id, part_no),
  foreign key (chain_id, job_id) references jobs on delete cascade
);
alter table job_file_parts alter column bytes set storage external;

-- The first failures and duplicates, for the answer of the job; the file has all.
create table job_feedback (
  chain_id uuid not null,
  job_id uuid not null,
  status text not null,
  row_no integer not null,
  vendor_id text not null,
  sku text,
  rejected_data text,
  rejected_reason text not null,
  primary key (chain_id, job_id, status, row_no, vendor_id),
  foreign key (chain_id, job_id) references jobs on delete cascade
);

-- The outbox: what happened, with its final body, written by the transaction that made it happen.
create table events (
  chain_id uuid not null references chains,
  event_id uuid not null,
  event_no bigint generated always as identity,
  type text not null,
  vendor_id text,
  body jsonb not null,
  created_at timestamptz not null default now(),
  primary key (chain_id, event_id)
);
create index events_in_order on events (chain_id, event_no);
create index events_age on events (created_at);

create table categories (
  chain_id uuid not null references chains,
  global_id text collate "C" not null,
  parent_global_id text collate "C",
  position integer not null,
  name jsonb not null,
  description jsonb not null,
  active boolean not null,
  primary key (chain_id, global_id),
  foreign key (chain_id, parent_global_id) references categories deferrable initially deferred
);

-- Barcodes as words, so that a trigram index finds the beginning of any of them: ' 4001 4002' like '% 400%'.
create function barcode_words(barcodes text[]) returns text
  language sql immutable strict parallel safe
  as $$ select ' ' || array_to_string(barcodes, ' ') $$;

-- What a product is: the chain's.
create table products (
  chain_id uuid not null references chains,
  sku text collate "C" not null,
  product_id uuid not null default gen_random_uuid(),
  titles jsonb not null,
  descriptions jsonb not null default '{}',
  -- All titles in small letters, a line each. Written by us: what lower() does depends on the database's locale.
  search_text text not null,
  barcodes text[] not null default '{}',
  images text[] not null default '{}',
  categories text[] not null default '{}',
  is_sold_by_weight boolean not null default false,
  weight_specifications jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index products_search_text on products using gin (chain_id, search_text gin_trgm_ops);
create index products_barcodes on products using gin (chain_id, barcode_words(barcodes) gin_trgm_ops);
create index products_categories on products using gin (chain_id, categories);
create index products_lower_sku on products (chain_id, lower(sku) collate "C" text_pattern_ops);
-- Last: of two indexes that cost the same the planner takes the newer one, and the foreign key of offers needs this one.
alter table products add primary key (chain_id, sku);

-- What a vendor sells it for: the vendor's. Narrow, half empty pages and no index on a column that changes, so that a
-- bulk update rewrites rows in place (HOT) and touches no index.
create table offers (
  chain_id uuid not null,
  vendor_id text collate "C" not null,
  sku text collate "C" not null,
  price numeric(10, 3) not null check (price >= 0),
  quantity integer check (quantity >= 0),
  maximum_sales_quantity integer check (maximum_sales_quantity >= 0),
  active boolean not null,
  -- The number of the newest single update: jobs accepted before it leave the offer alone.
  single_update_no bigint not null default 0,
  updated_at timestamptz not null default now(),
  primary key (chain_id, vendor_id, sku),
  foreign key (chain_id, vendor_id) references vendors,
  foreign key (chain_id, sku) references products
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
